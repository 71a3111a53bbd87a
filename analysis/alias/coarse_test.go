package alias

import (
	"slices"
	"testing"

	"whoop/ir"
)

// TestCoarse: with two cells an object, what was stored at one offset is found at others,
// and at none of another object.
func TestCoarse(t *testing.T) {
	src := `
program "p"
struct s size 24 {
  a: *i32 @0
  b: *i32 @8; c: *i32 @16
}
global one: struct("s")
global two: struct("s")
global x: i32
global y: i32

func main() void {
  reg p: *i32
  reg q: *i32
e:
  store plain field(&one, s, b), &x
  store plain field(&two, s, b), &y
  p := load plain field(&one, s, c)
  store plain p, i32 1
  q := load plain field(&two, s, c)
  store plain q, i32 1
  return
}

entry "main" func main kind "main"
`
	for work, want := range map[int][]string{0: nil, 1: {"x", "y"}} {
		p, err := ir.Parse("p.wir", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		r := Analyze(p, Options{work: work})
		var got []string
		for in := range p.FuncByName("main").Instrs() {
			st, ok := in.(*ir.Store)
			if !ok || !ir.IsInt(st.Val.Type()) {
				continue
			}
			for _, a := range r.Accesses(st) {
				for _, of := range a.Regions {
					got = append(got, of.Name)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("work %d: stores to %v, want %v", work, got, want)
		}
	}
}
