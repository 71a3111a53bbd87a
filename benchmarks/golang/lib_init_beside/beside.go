// Package beside has goroutines that its initialisation starts, which write what users get
// to by values that name no variable: a receiver, a parameter, a member that they can see.
package beside

type state struct {
	n     int
	table map[string]int
	cells []int
	p     *int
}

var std = &state{table: map[string]int{}, cells: make([]int, 3), p: new(int)}

func init() {
	go func() {
		std.n++            // RACE!
		std.table["a"] = 1 // RACE!
		std.cells[1]++     // RACE!
		*std.p = 1         // RACE!
	}()
}

// View leads to the state.
type View struct{ s *state }

// Get gives users a view.
func Get() View { return View{std} }

// N reads through its receiver.
func (v View) N() int { return v.s.n } // RACE!

// Cell reads an element.
func (v View) Cell(i int) int { return v.s.cells[i] } // RACE!

// Find reads a map, as a function.
func Find(v View, k string) int { return v.s.table[k] } // RACE!

// Value follows a pointer.
func Value(v View) int { return *v.s.p } // RACE!

// Seen has a member that users read themselves.
type Seen struct{ N int } // RACE!

var seen = &Seen{}

// Count is read by users.
var Count int // RACE!

func init() {
	go func() {
		seen.N = 1 // RACE!
		Count++    // RACE!
	}()
}

// See gives it to them.
func See() *Seen { return seen }

// Item is given to a function of users.
type Item struct{ n int }

// Len reads.
func (i *Item) Len() int { return i.n } // RACE!

var items []*Item

func init() {
	i := &Item{}
	items = append(items, i)
	go func() { i.n = 1 }() // RACE!
}

// Each calls a function with all items.
func Each(f func(*Item)) {
	for _, i := range items {
		f(i)
	}
}

var loaded = load()

// load does not wait long enough.
func load() map[string]int {
	t := map[string]int{}
	done := make(chan struct{}, 1)
	go func() {
		done <- struct{}{}
		t["a"] = 1 // RACE!
	}()
	<-done
	return t
}

// Loaded reads.
func Loaded(k string) int { return loaded[k] } // RACE!
