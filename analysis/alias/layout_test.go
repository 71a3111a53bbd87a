package alias

import (
	"testing"

	"whoop/ir"
)

// TestMarkers: an array of no length has what lies behind it at the end of a struct only.
func TestMarkers(t *testing.T) {
	link := &ir.Struct{Name: "link", Bytes: 8, Fields: []ir.Field{{Name: "n", Type: ir.I64}}}
	bytes := ir.Array{Elem: ir.Int{Bits: 8}}
	marked := &ir.Struct{Name: "marked", Bytes: 16, Fields: []ir.Field{
		{Name: "mark", Type: bytes}, {Name: "a", Type: ir.I64}, {Name: "b", Type: ir.Int{Bits: 32}, Offset: 8}}}
	open := &ir.Struct{Name: "open", Bytes: 8, Fields: []ir.Field{
		{Name: "a", Type: ir.I64}, {Name: "rest", Type: bytes, Offset: 8}}}
	k := &kinds{puns: map[[2]form]bool{}}
	for _, c := range []struct {
		in    *ir.Struct
		off   int64
		holds bool
	}{{marked, 0, false}, {marked, 8, false}, {marked, 12, false}, {open, 0, false}, {open, 8, true}, {open, 80, true}} {
		if got := k.holds(c.in, c.off, link); got != c.holds {
			t.Errorf("a link at %d of %s: %t, want %t", c.off, c.in.Name, got, c.holds)
		}
	}
	if ts := scalarsAt(marked, 8); len(ts) != 1 || ts[0].Size() != 4 {
		t.Errorf("scalars at 8 of marked: %v", ts)
	}
}
