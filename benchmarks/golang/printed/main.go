// What printing a pointer reads: the members of its struct, what slices and maps in there hold, and what exported members lead to; of other
// pointers it shows the address.
package main

import "fmt"

type inner struct{ n int }

// Shown prints itself.
type Shown struct{ n int }

// String reads the member.
func (s *Shown) String() string { return fmt.Sprint(s.n) } // RACE!

type chatty struct{ p *inner }

// String reads what the member leads to.
func (c *chatty) String() string { return fmt.Sprint(c.p.n) } // RACE!

type holder struct{ Chat *chatty }

type outer struct {
	count  int
	hidden *inner
	list   []int
	table  map[int]int
	Open   *Shown
}

func main() {
	o := &outer{hidden: &inner{}, list: make([]int, 1), table: map[int]int{1: 1}, Open: &Shown{}}
	done := make(chan bool)
	go func() {
		fmt.Println(o) // RACE!
		done <- true
	}()
	o.count++      // RACE!
	o.hidden.n++   // NORACE: its address is printed
	o.list[0]++    // RACE!
	o.table[1] = 2 // RACE!
	o.Open.n++     // RACE!
	<-done

	var arg any = &outer{list: make([]int, 1), hidden: &inner{}}
	p := arg.(*outer)
	go func() {
		fmt.Printf("%v", arg) // RACE!
		done <- true
	}()
	p.hidden.n++ // NORACE
	p.list[0]++  // RACE!
	<-done

	var talks any = &chatty{&inner{}}
	c := talks.(*chatty)
	go func() {
		fmt.Printf("%v", talks) // RACE!
		done <- true
	}()
	c.p.n++ // RACE!
	<-done

	h := &holder{&chatty{&inner{}}}
	go func() {
		fmt.Println(h) // RACE!
		done <- true
	}()
	h.Chat.p.n++ // RACE!
	<-done
}
