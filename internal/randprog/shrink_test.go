package randprog

import (
	"testing"

	"whoop/explore"
	"whoop/ir"
)

func size(p *ir.Program) (instrs, blocks int) {
	for _, f := range p.Funcs {
		blocks += len(f.Blocks)
		for _, b := range f.Blocks {
			instrs += len(b.Instrs)
		}
	}
	return instrs, blocks
}

// TestShrink: programs that show a kind of finding shrink to ones that show little else,
// valid at each step, and the original stays as it was.
func TestShrink(t *testing.T) {
	most := map[string]int{explore.KindRace: 6, explore.KindDeadlock: 6, "assert": 2, "double-lock": 5}
	seen := map[string]int{}
	for seed := range uint64(200) {
		p := Generate(seed, Config{})
		r := run(t, p, explore.Options{Bound: -1, Cache: true})
		if len(r.Findings) == 0 {
			continue
		}
		kind := r.Findings[int(seed)%len(r.Findings)].Kind
		if seen[kind]++; seen[kind] > 5 {
			continue
		}
		before := ir.String(p)
		fails := func(q *ir.Program) bool {
			if q.FuncByName("main") == nil {
				return false
			}
			if err := ir.Validate(q); err != nil {
				t.Fatalf("seed %d: an invalid program: %v", seed, err)
			}
			return run(t, q, explore.Options{Bound: -1, Cache: true, MaxStates: 2000}).Has(kind)
		}
		q := Shrink(p, fails)
		if ir.String(p) != before {
			t.Fatalf("seed %d: the program was changed", seed)
		}
		instrs, blocks := size(q)
		if n, ok := most[kind]; !fails(q) || ok && instrs > n {
			t.Errorf("seed %d: %s: %d instructions, %d blocks, want %d instructions:\n%s", seed, kind, instrs, blocks, n, ir.String(q))
		}
		if again := Shrink(q, fails); again != q {
			t.Errorf("seed %d: it shrinks further", seed)
		}
	}
	t.Log(seen)
	if len(seen) < 4 {
		t.Errorf("only these kinds: %v", seen)
	}
}

// TestShrinkShape: shrinking by a property of the text alone leaves just that.
func TestShrinkShape(t *testing.T) {
	for seed := range uint64(30) {
		has := func(p *ir.Program) bool {
			for _, f := range p.Funcs {
				for _, b := range f.Blocks {
					for _, in := range b.Instrs {
						if s, ok := in.(*ir.Store); ok && s.Order == ir.Plain {
							return true
						}
					}
				}
			}
			return false
		}
		p := Generate(seed, Config{})
		if !has(p) {
			continue
		}
		q := Shrink(p, has)
		instrs, blocks := size(q)
		if instrs != 1 || blocks != 1 || len(q.Funcs) != 1 || len(q.Globals)+len(q.Entries)+len(q.Funcs[0].Regs) > 0 {
			t.Errorf("seed %d:\n%s", seed, ir.String(q))
		}
	}
}
