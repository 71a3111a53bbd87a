package entry

import (
	"fmt"
	"testing"

	"whoop/ir"
)

const stop = `
program "stop"
global obj: i32
global other: i32
func t1(p: *void) void {
e:
  return
}
func t2(p: *void) void {
e:
  return
}
func main() i32 {
e:
  register timer_setup obj &obj calls fn t1 kinds timer
  %s
  unregister del_timer_sync obj &obj kinds timer
  return i32 0
}
`

// An Unregister of one timer stops what is known to be its handler alone.
func TestNarrow(t *testing.T) {
	for _, c := range []struct{ more, kind, assumption string }{
		{"", "timer", "stopped-callback"},
		{"register timer_setup obj &other calls fn t2 kinds timer", "timer[obj]", "stopped-callback"},
		{"register timer_setup obj &obj calls fn t2 kinds timer", noKind, ""},
		{"register timer_setup obj index(&other, i64 0, 4, *i32) calls fn t2 kinds timer", noKind, ""},
		{"register timer_setup calls fn t2 kinds timer", noKind, ""},
		{"register timer_setup obj &other calls fn t1 kinds timer", noKind, ""},
	} {
		p := parse(t, fmt.Sprintf(stop, c.more))
		if err := Infer(p, set(t), Options{}); err != nil {
			t.Fatal(err)
		}
		for _, in := range p.FuncByName("main").Blocks[0].Instrs {
			if u, ok := in.(*ir.Unregister); ok && u.Kinds[0] != c.kind {
				t.Errorf("%q: it stops %v, want %s", c.more, u.Kinds, c.kind)
			}
		}
		found := false
		for _, a := range p.Assumptions {
			found = found || a.Kind == "stopped-callback"
		}
		if found != (c.assumption != "") {
			t.Errorf("%q: assumptions %v", c.more, p.Assumptions)
		}
	}
}
