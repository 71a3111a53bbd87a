package vm

import (
	"strings"
	"testing"

	"whoop/ir"
)

// TestUnusedResults: a result that nothing uses may be an arbitrary pointer, as that of a
// C function that has no return statement.
func TestUnusedResults(t *testing.T) {
	const src = `program "p"
global x: i32
func w() *void {
reg r: *void
entry:
  store seq_cst &x, i32 1
  r := havoc
  return r
}
func main() i32 {
reg h: u64
reg r: *void
reg ok: bool
entry:
  h, ok := spawn w()
  JOIN
  return i32 0
}
`
	for _, x := range []struct {
		join  string
		taken bool
	}{{"join h", true}, {"r := join h", false}, {"r := call w()", false}, {"call w()", true}} {
		p, err := ir.Parse("p.wir", []byte(strings.Replace(src, "JOIN", x.join, 1)))
		if err != nil {
			t.Fatal(err)
		}
		c, err := Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(c, p.FuncByName("main"), Config{})
		if err != nil {
			t.Fatal(err)
		}
		for can := m.Enabled(nil); len(can) > 0 && m.Unsupported() == ""; can = m.Enabled(nil) {
			m.Step(can[0], nil)
		}
		if taken := m.Unsupported() == ""; taken != x.taken {
			t.Errorf("%s: taken: %t %s", x.join, taken, m.Unsupported())
		}
	}
}
