// Two types of one name that functions declare: what one leads to, the other does not.
package main

func reads(p *int) {
	type entry struct{ p *int }
	entries := map[int]entry{1: {p}}
	go func() { println(*entries[1].p) }()
}

func writes(p *int) {
	type entry struct {
		n int
		p *int
	}
	entries := map[int]entry{1: {1, p}}
	go func() { *entries[1].p = 1 }()
}

func main() {
	p := new(int)
	reads(p)
	writes(new(int))
	println(*p)
}
