package irutil

import (
	"strings"
	"testing"

	"whoop/ir"
)

// TestJoinsAtOnce: threads may be told apart by what is done with their handles, and by
// what main does between two joins.
func TestJoinsAtOnce(t *testing.T) {
	const src = `program "p"
global x: i32
global handles: [2]u64
func w() *void {
entry:
  return null *void
}
func main() i32 {
reg t: *[2]u64
reg h, g: u64
reg p: *void
reg i: i32
entry:
  t := alloc stack [2]u64, u64 1 name t
  i := i32 0
  spawn w() handle index(t, i32 0, 8, *u64)
  spawn w() handle index(t, i32 1, 8, *u64)
  store plain &x, i32 1
  goto loop
loop:
  if lt(i, i32 2) then body else done
body:
  h := load plain index(t, i, 8, *u64)
  join h
  i := add(i, i32 1)
  goto loop
done:
  return i32 0
}
`
	for _, x := range []struct {
		name, old, with string
		want            bool
	}{
		{"all is as it should be", "", "", true},
		{"a result is read", "join h", "p := join h", false},
		{"a store between joins", "join h", "join h\nstore plain &x, i", false},
		{"a store before a join", "  join h", "store plain &x, i\njoin h", false},
		{"handles in a global", "handle index(t, i32 0, 8, *u64)",
			"handle index(&handles, i32 0, 8, *u64)", false},
		{"a handle is stored", "join h", "join h\nstore plain &handles, h", false},
		{"a handle is compared", "if lt(i, i32 2)", "if ne(h, u64 1)", false},
		{"a handle is copied", "join h", "g := h\njoin g", false},
		{"the array is known elsewhere", "goto loop\nloop",
			"memset plain t, u8 0, u64 16\ngoto loop\nloop", false},
		{"a thread is detached", "join h", "detach h", false},
		{"main runs again", "store plain &x, i32 1", "i := call main()", false},
		{"a store behind all joins", "return i32 0", "store plain &x, i32 2\nreturn i32 0", true},
	} {
		text := src
		if x.old != "" {
			if text = strings.Replace(src, x.old, x.with, 1); text == src {
				t.Fatalf("%s: nothing is replaced", x.name)
			}
		}
		p, err := ir.Parse("p.wir", []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		if err := ir.Validate(p); err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		if got := JoinsAtOnce(p, p.FuncByName("main")); got != x.want {
			t.Errorf("%s: %v", x.name, got)
		}
	}
}
