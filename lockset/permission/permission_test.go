package permission

import (
	"math/rand/v2"
	"testing"

	"whoop/ir"
)

// state is a valuation of ghost registers: 0 and 1 for Booleans.
type state map[*ir.Reg]int64

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// value evaluates the expressions that ghost code is made of.
func (s state) value(t *testing.T, e ir.Expr) int64 {
	switch e := e.(type) {
	case ir.Use:
		return s[e.Reg]
	case ir.BoolConst:
		return truth(bool(e))
	case ir.Const:
		return e.Val.Int64()
	case ir.Unary:
		return 1 - s.value(t, e.X)
	case ir.Select:
		if s.value(t, e.C) != 0 {
			return s.value(t, e.X)
		}
		return s.value(t, e.Y)
	case ir.Binary:
		x, y := s.value(t, e.X), s.value(t, e.Y)
		switch e.Op {
		case "land":
			return x & y
		case "lor":
			return x | y
		case "ge":
			return truth(x >= y)
		case "add":
			return x + y
		case "sub":
			return x - y
		}
	}
	t.Fatalf("unexpected expression %s", ir.ExprString(e))
	return 0
}

// reference is what a thread has, by the words of the package.
type reference struct {
	share Share
	depth int64
}

func (r *reference) apply(t Transfer, counts bool) {
	switch t.Kind {
	case Inhale:
		r.share = max(r.share, t.Share)
		if counts {
			r.depth++
		}
	case Exhale:
		if counts && !t.All {
			if r.depth = max(r.depth-1, 0); r.depth > 0 {
				return
			}
		}
		r.share, r.depth = None, 0
	}
}

// TestApply holds the ghost code of random transfers, which happen or not, against what
// shares mean.
func TestApply(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	for n := range 2000 {
		l := &Ledger{Whole: n%3 == 0}
		l.Held = [2]*ir.Reg{{Name: "full", Type: ir.Bool{}}, {Name: "some", Type: ir.Bool{}}}
		if n%3 == 1 {
			l.Depth = &ir.Reg{Name: "depth", Type: ir.I64}
		}
		s, want := state{}, &reference{}
		for range 12 {
			tr := Transfer{Kind: Kind(r.IntN(3)), Share: Some + Share(r.IntN(2)), All: r.IntN(4) == 0}
			if l.Whole {
				tr.Share = Full
			}
			happens := r.IntN(3) > 0
			if !happens || l.Depth != nil || r.IntN(2) == 0 {
				tr.If = ir.BoolConst(happens)
			}
			for _, in := range l.Apply(tr, ir.Pos{}) {
				a := in.(*ir.Assign)
				s[a.Dst] = s.value(t, a.X)
			}
			if happens {
				want.apply(tr, l.Depth != nil)
			}
			if s[l.Held[0]] != truth(want.share == Full) || s[l.Held[1]] != truth(want.share != None) {
				t.Fatalf("seed %d, ledger %d: after %+v it says %v, and the thread has %v", seed, n, tr, s, want.share)
			}
		}
	}
}

// TestObligation: what a transfer owes is the thread's share, or its alternative, where
// the transfer happens.
func TestObligation(t *testing.T) {
	l := &Ledger{}
	l.Held = [2]*ir.Reg{{Name: "full", Type: ir.Bool{}}, {Name: "some", Type: ir.Bool{}}}
	if l.Obligation(Transfer{Kind: Exhale, Share: Full}, true) != nil {
		t.Error("a transfer that owes nothing has an obligation")
	}
	for bits := range 16 {
		has, or, happens, tracked := bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0
		tr := Transfer{Kind: Exhale, Share: Some, Owed: true, If: ir.BoolConst(happens), Or: ir.BoolConst(or)}
		got := state{l.Held[1]: truth(has)}.value(t, l.Obligation(tr, tracked)) != 0
		if want := !happens || or || has && tracked; got != want {
			t.Errorf("has %t, or %t, happens %t, tracked %t: %t", has, or, happens, tracked, got)
		}
	}
}

// TestDepth: counting stops before it wraps.
func TestDepth(t *testing.T) {
	d := &ir.Reg{Name: "depth", Type: ir.I64}
	l := &Ledger{Held: [2]*ir.Reg{{Type: ir.Bool{}}, {Type: ir.Bool{}}}, Depth: d}
	s := state{d: maxDepth}
	for _, in := range l.Apply(Transfer{Share: Full, If: ir.BoolConst(true)}, ir.Pos{}) {
		a := in.(*ir.Assign)
		s[a.Dst] = s.value(t, a.X)
	}
	if s[d] != maxDepth {
		t.Errorf("depth %d after %d acquisitions; want %d", s[d], maxDepth+1, maxDepth)
	}
}
