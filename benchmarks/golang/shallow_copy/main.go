// A shallow copy gets a map of its own before that is written.
package main

type request struct {
	url    string
	header map[string][]string
}

func clone(r *request) *request {
	r2 := new(request)
	*r2 = *r
	r2.header = make(map[string][]string, len(r.header))
	for k, s := range r.header { // NORACE
		r2.header[k] = append([]string(nil), s...) // NORACE
	}
	return r2
}

func main() {
	r := &request{header: map[string][]string{"a": {"b"}}}
	for range 4 {
		go func() {
			c := clone(r)
			c.url = "x"
		}()
	}
}
