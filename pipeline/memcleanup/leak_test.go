package memcleanup_test

import (
	"strings"
	"testing"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline/memcleanup"
)

const program = `program "leak"
global g: *i32
func f(p: *void) *void {
entry:
  free p
  return null *void
}
func main() i32 {
  reg p: *i32
  reg x: bool
  reg h: u64
entry:
  p := alloc heap i32, u64 1
  x := havoc input
  if x then yes else no
yes:
  store plain &g, p
  goto end
no:
  h, _ := spawn f(cast(*void, p))
  join h
  goto end
end:
  return i32 0
}
entry main kind "main"
entry f kind "thread" spawned
`

// TestInstrument: the instrumented program is valid, prints and parses, and fails exactly
// where memory is left.
func TestInstrument(t *testing.T) {
	p, err := ir.Parse("leak.wir", []byte(program))
	if err != nil {
		t.Fatal(err)
	}
	q := memcleanup.Instrument(p)
	if err := ir.Validate(q); err != nil {
		t.Fatal(err)
	}
	var a, b strings.Builder
	ir.Print(&a, q)
	again, err := ir.Parse("leak.wir", []byte(a.String()))
	if err != nil {
		t.Fatal(err)
	}
	if ir.Print(&b, again); a.String() != b.String() {
		t.Errorf("printed differently after parsing:\n%s\n%s", a.String(), b.String())
	}
	m, err := interp.Compile(q, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range []bool{false, true} {
		s := m.Start(interp.MainOf(q.FuncByName("main")), interp.InputFunc(func(q *interp.Query) uint64 {
			if left && q.Kind == interp.InExternal {
				return 1
			}
			return 0
		}))
		for s.Status() == interp.Running {
			s.Step(s.Enabled()[0])
		}
		if e := s.Err(); left != (e != nil && e.Tag == memcleanup.Tag) {
			t.Errorf("memory left: %t, %s %v", left, s.Status(), e)
		}
		if lost, sure := s.Lost(); len(lost) > 0 || !sure && s.Err() != nil {
			t.Errorf("lost: %v, %t; what is left is reachable from g", lost, sure)
		}
	}
}
