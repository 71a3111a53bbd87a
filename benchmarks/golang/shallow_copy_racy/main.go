// Shallow copies that keep the map of the original on some path, or whose object others
// know before the map is replaced.
package main

type request struct {
	header map[string]int
}

var last *request

func sometimes(r *request, fresh bool) {
	c := new(request)
	*c = *r
	if fresh {
		c.header = map[string]int{}
	}
	c.header["a"] = 1 // RACE!
}

func early(r *request) {
	c := new(request)
	*c = *r
	c.header["a"] = 2 // RACE!
	c.header = map[string]int{}
	c.header["b"] = 3 // NORACE
}

func restored(r *request) {
	c := new(request)
	c.header = map[string]int{}
	*c = *r
	c.header["a"] = 4 // RACE!
}

func loop(r *request) {
	c := new(request)
	c.header = map[string]int{}
	for range 2 {
		c.header["a"] = 5 // RACE!
		c.header = r.header
	}
}

func known(r *request) {
	c := new(request)
	last = c // RACE!
	c.header = map[string]int{}
	c.header["a"] = 6 // NORACE
}

func member(r *request) {
	c := new(request)
	p := &c.header
	c.header = map[string]int{}
	*p = r.header
	c.header["a"] = 7 // RACE!
}

func main() {
	r := &request{header: map[string]int{}}
	for range 2 {
		go sometimes(r, len(r.header) > 3) // RACE!
		go early(r)
		go restored(r)
		go loop(r)
		go known(r)
		go member(r)
	}
}
