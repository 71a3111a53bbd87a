// A struct embeds an interface, whose method is promoted.
package main

type store interface{ put(int) }

type mem struct{ n int }

func (m *mem) put(v int) { m.n = v } // RACE!

type logged struct {
	store
	name string
}

func main() {
	l := &logged{store: &mem{}, name: "x"}
	go l.put(1)
	l.put(2)
}
