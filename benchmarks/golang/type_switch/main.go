// A type switch finds the shared object behind an interface.
package main

type a struct{ n int }
type b struct{ m int }

func bump(v any) {
	switch x := v.(type) {
	case *a:
		x.n++ // RACE!
	case b:
		x.m++ // NORACE
	case int:
	}
}

func main() {
	p := &a{}
	go bump(p)
	go bump(b{})
	bump(p)
	bump(3)
}
