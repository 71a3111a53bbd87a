package alias

import (
	"context"
	"testing"

	"whoop/ir"
)

// TestNever: which stores of the lines of testdata/worlds.wir are apart from the same
// store by another run, and from each other.
func TestNever(t *testing.T) {
	p := load(t, "testdata/worlds.wir")
	r := Analyze(p, Options{})
	a, err := r.Separate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		e  *ir.Entry
		in ir.Instr
	}
	at := map[int]place{}
	for _, e := range p.Entries {
		for _, f := range r.Reachable(e) {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if _, ok := in.(*ir.Store); ok && in.At().Line > 0 {
						at[in.At().Line] = place{e, in}
					}
				}
			}
		}
	}
	for _, c := range []struct {
		first, second int
		never         bool
		why           string
	}{
		{1, 1, true, "a node that is reached from what others know, but that nobody looks at"},
		{2, 2, true, "a node that others look at, but not by this"},
		{2, 3, false, "who looks at it"},
		{4, 4, true, "behind a flag that nothing sets in what this entry makes"},
		{5, 5, false, "behind a flag that a parameter sets"},
		{6, 7, false, "what a thread is given that was started"},
		{8, 8, true, "what is handed out at the end"},
		{9, 9, false, "what is handed out before"},
	} {
		x, y := at[c.first], at[c.second]
		if x.in == nil || y.in == nil {
			t.Fatalf("no store at line %d or %d", c.first, c.second)
		}
		if got := a.Never(x.e, x.in, r.Accesses(x.in)[0], y.e, y.in, r.Accesses(y.in)[0]); got != c.never {
			t.Errorf("lines %d and %d: never %t, want %t (%s)", c.first, c.second, got, c.never, c.why)
		}
	}
}
