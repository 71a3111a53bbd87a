package bmc

import (
	"fmt"
	"slices"
	"sort"

	"whoop/ir"
)

// A pointer is a word of 64 bits: the number of an object in the upper half, the offset
// plus bias in the lower one, as in package interp, so that both agree on what pointer
// arithmetic does.
const (
	bias    = 1 << 31
	fnBase  = 1 << 24               // object numbers from here on are functions
	nowhere = (fnBase-1)<<32 + bias // a pointer that was never written, and is not null
	unseen  = (fnBase-2)<<32 + bias // a function that is not in the program
	maxVals = 8                     // a cell with more constants than this may hold any number
)

func makeAddr(obj int, off int64) uint64 { return uint64(obj)<<32 + uint64(bias+off) }
func objectOf(a uint64) int              { return int(a >> 32) }
func offsetOf(a uint64) int64            { return int64(uint32(a)) - bias }

// object is a piece of memory: a global, or what one execution of an allocation in the
// unfolded program makes.
type object struct {
	id      int
	name    string
	size    int64 // -1: not bounded (memory of the environment)
	unsized bool  // accesses may be behind that, too; unknown indices are followed up to there
	global  *ir.Global
	site    *ir.Alloc
	zero    bool
	self    uint64 // of ir.Self: the handle of its thread, which it holds at first
	extern  bool   // what it holds at first is arbitrary and comes from the environment
	heap    bool
	depth   int // of input objects: how many pointers away from an argument
	cells   []*cell
	blocks  bool             // copied or set as a whole somewhere: new cells ask for another pass
	endless bool             // a copy within it asks for cells without end: it is not followed
	freed   *cell            // 1 once it is freed; nil where nothing frees it
	special map[string]*cell // synchronisation state: "owner@off", …
	// written as memory somewhere: new synchronisation state asks for another pass
	plain bool
}

// cell is a range of bytes of an object that is accessed as a whole, or a part of an
// object's synchronisation state (see sync.go). What is known about cells is kept from
// pass to pass and only grows.
type cell struct {
	idx    int
	obj    *object
	lo, hi int64 // bytes; of synchronisation state 0, 0
	name   string
	width  int // bits
	conc   bool
	acc    map[int]*access
	vals   values
	// wide: it holds a pointer of 4 bytes, with all its 64 bits; poison: not as a whole.
	wide, poison bool
	// standIn: it is a byte at which a copy, a fill or an access by code not seen begins,
	// and that nobody looks at: its contents do not matter, but whether it is accessed.
	// Where two such accesses overlap, one of them begins within the other.
	standIn bool
	typ     ir.Type // of the first access, for messages and input memory
}

// access sums up a thread's accesses to a cell: who may run at the same time.
type access struct {
	write           bool
	readBy, writeBy threadSet // descendants that may run during a read, a write
}

// values is a set of literals that a cell may hold.
type values struct {
	any  bool
	nums map[uint64]bool
	// arrays are addresses whose offset is not known: any number of strides from it.
	arrays map[span]bool
}

// span is the addresses base + i·stride in an object.
type span struct {
	base   uint64
	stride int64
}

// add puts the values of another set into v, and reports whether that changed it.
func (v *values) add(o values, limit int) bool {
	if v.any {
		return false
	}
	if o.any {
		*v = values{any: true}
		return true
	}
	changed := false
	for n := range o.nums {
		if !v.nums[n] && !v.covers(n) {
			if v.nums == nil {
				v.nums = map[uint64]bool{}
			}
			v.nums[n] = true
			changed = true
		}
	}
	for s := range o.arrays {
		if !v.arrays[s] {
			if v.arrays == nil {
				v.arrays = map[span]bool{}
			}
			v.arrays[s] = true
			changed = true
		}
	}
	if len(v.nums)+len(v.arrays) > limit {
		*v = values{any: true}
	}
	return changed
}

// covers reports whether a span contains an address.
func (v *values) covers(n uint64) bool {
	for s := range v.arrays {
		if objectOf(s.base) == objectOf(n) && (offsetOf(n)-offsetOf(s.base))%s.stride == 0 {
			return true
		}
	}
	return false
}

// maxOffsets is how many addresses in one object a set keeps apart.
const maxOffsets = 24

// widen replaces many addresses in one object by a span, so that a pointer that moves on
// with every pass does not do so for ever.
func (v *values) widen() {
	by := map[int][]uint64{}
	plain := 0
	for _, n := range v.sorted() {
		id := objectOf(n)
		by[id] = append(by[id], n)
		if id == 0 || id >= 2*fnBase {
			plain++
		}
	}
	if plain > maxVals { // numbers rather than addresses
		*v = values{any: true}
		return
	}
	for id, ns := range by {
		if id == 0 || id >= fnBase || len(ns) <= maxOffsets {
			continue
		}
		stride := int64(0)
		for _, n := range ns {
			stride = gcd(stride, abs(offsetOf(n)-offsetOf(ns[0])))
			delete(v.nums, n)
		}
		if v.arrays == nil {
			v.arrays = map[span]bool{}
		}
		v.arrays[span{ns[0], stride}] = true
	}
}

// only is the single literal of a set.
func (v *values) only() (uint64, bool) {
	if v.any || len(v.nums) != 1 || len(v.arrays) > 0 {
		return 0, false
	}
	for n := range v.nums {
		return n, true
	}
	return 0, false
}

// sorted lists the literals.
func (v *values) sorted() []uint64 {
	out := make([]uint64, 0, len(v.nums))
	for n := range v.nums {
		out = append(out, n)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// world is what the passes share: objects, cells and what is known about them.
type world struct {
	p       *ir.Program
	objs    []*object // by number; 0 is none
	byKey   map[string]*object
	cells   []*cell
	changed bool // in this pass
	why     string
	nums    map[string]int // of threads, by key
	waiters map[int]*cell  // where threads wait that may, by number
}

func newWorld(p *ir.Program) *world {
	return &world{p: p, objs: []*object{nil}, byKey: map[string]*object{}, nums: map[string]int{}, waiters: map[int]*cell{}}
}

// change notes that another pass is needed.
func (w *world) change(why string) {
	w.changed, w.why = true, why
}

// object returns the object of that key, made by f where there is none.
func (w *world) object(key string, f func() *object) *object {
	if o := w.byKey[key]; o != nil {
		return o
	}
	o := f()
	o.id = len(w.objs)
	o.special = map[string]*cell{}
	w.objs = append(w.objs, o)
	w.byKey[key] = o
	return o
}

// global returns the object of a global; thread is that of thread-local ones.
func (w *world) global(g *ir.Global, thread string) *object {
	key := "g:" + g.Name
	if g.ThreadLocal {
		key += ":" + thread
	}
	return w.object(key, func() *object {
		size := g.Type.Size()
		if g.Extern {
			size = -1
		}
		return &object{name: g.Name, size: size, global: g, zero: !g.Extern, extern: g.Extern}
	})
}

// cell returns the cell that covers bytes [lo, lo+n): an existing one, or a new one.
// Cells that overlap are joined, which asks for another pass.
func (w *world) cell(o *object, lo, n int64, t ir.Type) *cell {
	i := sort.Search(len(o.cells), func(i int) bool { return o.cells[i].hi > lo })
	j := i
	hi := lo + n
	for j < len(o.cells) && o.cells[j].lo < hi {
		if o.cells[j].standIn {
			o.cells = slices.Delete(o.cells, j, j+1)
			w.change("a byte of " + o.name + " is looked at")
			continue
		}
		j++
	}
	if j == i+1 && o.cells[i].lo <= lo && o.cells[i].hi >= hi {
		return o.cells[i]
	}
	if j == i {
		c := w.newCell(&cell{obj: o, lo: lo, hi: hi, width: memoryWidth(n, t), wide: holdsNarrow(n, t), typ: t})
		w.insert(o, i, c)
		return c
	}
	lo, hi = min(lo, o.cells[i].lo), max(hi, o.cells[j-1].hi)
	c := w.newCell(&cell{obj: o, lo: lo, hi: hi, width: int(8 * (hi - lo)), vals: values{any: true}})
	for _, old := range o.cells[i:j] {
		c.conc = c.conc || old.conc
	}
	w.change("cells of " + o.name + " joined")
	o.cells = append(o.cells[:i], append([]*cell{c}, o.cells[j:]...)...)
	return c
}

// insert adds a new cell of an object, at an index.
func (w *world) insert(o *object, i int, c *cell) {
	o.cells = slices.Insert(o.cells, i, c)
	if o.blocks {
		w.change("a new cell of " + o.name)
	}
}

// standIn makes a stand-in of a byte, if it is in no cell.
func (w *world) standIn(o *object, off int64) {
	i := sort.Search(len(o.cells), func(i int) bool { return o.cells[i].hi > off })
	if i == len(o.cells) || o.cells[i].lo > off {
		w.insert(o, i, w.newCell(&cell{obj: o, lo: off, hi: off + 1, width: 8, vals: values{any: true}, standIn: true}))
	}
}

func (w *world) newCell(c *cell) *cell {
	c.idx = len(w.cells)
	c.acc = map[int]*access{}
	w.cells = append(w.cells, c)
	return c
}

// state returns a part of an object's synchronisation state at an offset.
func (w *world) state(o *object, off int64, what string, width int) *cell {
	key := fmt.Sprintf("%s@%d", what, off)
	c := o.special[key]
	if c == nil {
		c = w.newCell(&cell{obj: o, lo: off, hi: off, name: what, width: width})
		o.special[key] = c
		if o.plain {
			w.change("synchronisation state of " + o.name)
		}
	}
	return c
}

// waiterOf is the number of the thread whose cell c is.
func (w *world) waiterOf(c *cell) int {
	for n, o := range w.waiters {
		if o == c {
			return n
		}
	}
	return -1
}

// threadSet is a set of threads by number.
type threadSet [2]uint64

func (s threadSet) has(t int) bool           { return s[t/64]>>(t%64)&1 != 0 }
func (s *threadSet) put(t int)               { s[t/64] |= 1 << (t % 64) }
func (s *threadSet) drop(t int)              { s[t/64] &^= 1 << (t % 64) }
func (s threadSet) or(o threadSet) threadSet { return threadSet{s[0] | o[0], s[1] | o[1]} }
