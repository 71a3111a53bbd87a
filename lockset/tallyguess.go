package lockset

import (
	"slices"
	"strings"

	"whoop/ir"
)

// Loops in which main starts threads change the number of a tally. What is guessed there
// is its distance from what it was when the loop was entered: as far as a register of the
// loop has counted, or not beyond what main waits for.

// tallyCandidates guesses, for a loop head, bounds of the numbers of tallies.
func (x *instrumenter) tallyCandidates(head *ir.Block, res *resolver) []ir.Expr {
	out := guesses{}
	for _, g := range x.active {
		t, ok := theoryOf[*tally](g)
		if !ok || !x.isMain() {
			continue
		}
		loop := res.loopAt(head)
		if loop == nil || !x.renumbers(loop, g) {
			continue
		}
		op := "le"
		if t.step < 0 {
			op = "ge"
		}
		bound := func(e ir.Expr) {
			out.add(ir.Binary{Op: op, X: widened(ir.Use{Reg: g.Number}), Y: e})
		}
		before := widened(x.numberBefore(loop, g, res))
		bound(before)
		for _, i := range loopCounters(loop, res) {
			for _, e := range append(i.ends, ir.Use{Reg: i.reg}) {
				counted := ir.Binary{Op: "sub", X: widened(e), Y: widened(i.first)}
				bound(ir.Binary{Op: "add", X: before, Y: counted})
				bound(ir.Binary{Op: "sub", X: before, Y: counted})
			}
			for _, e := range i.ends {
				out.add(ir.Binary{Op: "lt", X: ir.Use{Reg: i.reg}, Y: e})
			}
		}
	}
	return out.list()
}

// renumbers reports whether a loop changes the number of a guard.
func (x *instrumenter) renumbers(loop *ir.Loop, g *guard) bool {
	for _, b := range loop.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(*ir.Call)
			if ok && x.may.callees[c] != nil && x.may.changes[x.may.callees[c]][g] {
				return true
			}
			if slices.ContainsFunc(x.moves(in), func(m move) bool { return m.g == g && m.t.Number != nil }) {
				return true
			}
		}
	}
	return false
}

// numberBefore is a register with the number that a guard had when the loop was entered.
func (x *instrumenter) numberBefore(loop *ir.Loop, g *guard, res *resolver) ir.Expr {
	r := &ir.Reg{Name: g.Number.Name + ".before." + loop.Head.Name, Type: g.Number.Type, Ghost: true}
	for _, p := range res.cfg.Preds[loop.Head] {
		if !loop.Contains(p) {
			x.leaving[p] = append(x.leaving[p], &ir.Assign{Dst: r, X: ir.Use{Reg: g.Number}})
		}
	}
	return ir.Use{Reg: r}
}

// testedBounds adds the registers that the bounds are about: what they are matters.
func testedBounds(out map[*ir.Reg]bool, bounds []ir.Expr) {
	for _, c := range bounds {
		ir.WalkExpr(c, func(e ir.Expr) bool {
			if u, ok := e.(ir.Use); ok && !u.Reg.Ghost {
				out[u.Reg] = true
			}
			return true
		})
	}
}

// wideInt is a type in which sums of 64 bits do not wrap around.
var wideInt = ir.Int{Bits: 70, Signed: true}

func widened(e ir.Expr) ir.Expr { return ir.Cast{X: e, T: wideInt} }

// compared is what branches compare registers with.
func compared(blocks []*ir.Block, res *resolver, with func(*ir.Reg) bool) []ir.Expr {
	out := guesses{}
	for _, b := range blocks {
		br, ok := b.Term.(*ir.Branch)
		if !ok {
			continue
		}
		c, ok := ir.Uncast(br.Cond).(ir.Binary)
		if !ok {
			continue
		}
		for _, side := range [][2]ir.Expr{{c.X, c.Y}, {c.Y, c.X}} {
			if u, ok := ir.Uncast(side[0]).(ir.Use); ok && with(u.Reg) && res.setOnce(side[1]) {
				out.add(side[1])
			}
		}
	}
	return out.list()
}

// setOnce reports whether an integer is a constant, or set at one place.
func (r *resolver) setOnce(e ir.Expr) bool {
	_, number := ir.ConstInt(e)
	u, reg := e.(ir.Use)
	return number || reg && ir.IsInt(u.Reg.Type) && len(r.defs[u.Reg]) < 2
}

// loopAt is the loop with a head; nil where there is none.
func (r *resolver) loopAt(head *ir.Block) *ir.Loop {
	for _, l := range r.cfg.Loops() {
		if l.Head == head {
			return l
		}
	}
	return nil
}

// maxLoopCounters bounds the registers of a loop that bounds are guessed from. Precision
// only.
const maxLoopCounters = 4

// loopCounter is a register that a loop changes, with its value before and with what it,
// or its next value, is compared with.
type loopCounter struct {
	reg   *ir.Reg
	first ir.Expr
	ends  []ir.Expr
}

// loopCounters are the registers of integers that a loop changes, and that have one value
// before.
func loopCounters(loop *ir.Loop, res *resolver) []loopCounter {
	var out []loopCounter
	for r, defs := range res.defs {
		n, ok := r.Type.(ir.Int)
		if !ok || n.Bits < 32 || r.Ghost || len(defs) < 2 {
			continue
		}
		c, inside, known := loopCounter{reg: r}, false, true
		next := map[*ir.Reg]bool{r: true}
		for _, d := range defs {
			as, assigns := d.in.(*ir.Assign)
			switch {
			case loop.Contains(d.block):
				inside = true
				if assigns {
					if u, ok := as.X.(ir.Use); ok {
						next[u.Reg] = true
					}
				}
			case !assigns || !res.setOnce(as.X) || c.first != nil && ir.ExprString(c.first) != ir.ExprString(as.X):
				known = false
			default:
				c.first = as.X
			}
		}
		if inside && known && c.first != nil {
			c.ends = compared(loop.Blocks, res, func(s *ir.Reg) bool { return next[s] })
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b loopCounter) int { return strings.Compare(a.reg.Name, b.reg.Name) })
	return out[:min(len(out), maxLoopCounters)]
}
