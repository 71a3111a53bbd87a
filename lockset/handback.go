package lockset

import (
	"slices"

	"whoop/analysis/mhp"
	"whoop/ir"
	"whoop/lockset/permission"
)

// What a thread got comes back when it has ended: a join in a loop that waits for the
// thread of the same number (mhp.Ended) gives main the token that was handed to it. For
// there is one token of each thing, the thread had it when it started, and it has handed
// it to nobody. Where all threads have ended, main has all tokens.

// backFrom is the transfer by which a join gives the entry a token; none where it does
// not.
func (x *instrumenter) backFrom(in *ir.Join, fn *guard) []permission.Transfer {
	if back := x.comesBack(in, fn); back != nil {
		return []permission.Transfer{{Share: permission.Full, If: back}}
	}
	return nil
}

// comesBack is the condition under which a join gives the entry a token; nil where it
// does not.
func (x *instrumenter) comesBack(in *ir.Join, fn *guard) ir.Expr {
	orig, ok := x.seq.Origin[in].Instr.(*ir.Join)
	if !ok {
		return nil
	}
	o, isOwn := theoryOf[*own](fn)
	n, isNumber := theoryOf[*threadNumber](fn)
	if base := x.startedWith[in]; base != nil && isOwn && o.element == nil {
		return ir.Binary{Op: "eq", X: base, Y: ir.Use{Reg: fn.frame.watch}}
	}
	if len(x.entries) > 1 {
		return nil
	}
	d := x.f.mh.Ended(x.entry, orig)
	if d == nil {
		return nil
	}
	var got func(arg ir.Expr) ir.Expr
	switch {
	case isNumber && n.entry == d.Entry && n.param == 0:
		got = func(arg ir.Expr) ir.Expr { return direct(n.of(arg)) }
	case isOwn && o.element == nil && x.l.owner(d.Entry):
		got = asPtr
	default:
		return nil
	}
	back := x.endedAt(in, d)
	if back == nil {
		return nil
	}
	is := ir.Expr(ir.Binary{Op: "eq", X: got(back.arg), Y: ir.Use{Reg: fn.frame.watch}})
	if !d.Bounded {
		return is
	}
	i := ir.Cast{X: back.counter, T: ir.I64}
	within := ir.Binary{Op: "land", X: ir.Binary{Op: "le", X: ir.IntConst(ir.I64, d.Lo), Y: i}, Y: ir.Binary{Op: "le", X: i, Y: ir.IntConst(ir.I64, d.Hi)}}
	return ir.Binary{Op: "land", X: within, Y: is}
}

// given is what an ended thread had got, as the sequential program has it.
type given struct{ arg, counter ir.Expr }

// endedAt puts the registers of the sequential program into what is known of an ended
// thread; nil where there is more than one of them for one of the program's.
func (x *instrumenter) endedAt(in *ir.Join, d *mhp.Ended) *given {
	if g, ok := x.endings[in]; ok {
		return g
	}
	if x.endings == nil {
		x.endings = map[*ir.Join]*given{}
	}
	regs := map[*ir.Reg][]*ir.Reg{}
	for _, r := range d.Fixed {
		regs[r] = nil
	}
	for _, p := range x.seq.Procs {
		for _, b := range p.Body.Blocks {
			for _, in := range b.Instrs {
				orig := x.seq.Origin[in].Instr
				if orig == nil {
					continue
				}
				to := ir.Defs(in)
				for i, r := range ir.Defs(orig) {
					_, fixed := regs[r]
					if (fixed || orig == d.Step && r == d.Counter) && i < len(to) {
						regs[r] = append(regs[r], to[i])
					}
				}
			}
		}
	}
	known := len(regs[d.Counter]) == 1
	arg := ir.MapExpr(d.Arg, func(e ir.Expr) ir.Expr {
		u, ok := e.(ir.Use)
		if !ok {
			return e
		}
		if len(regs[u.Reg]) != 1 {
			known = false
			return e
		}
		return ir.Use{Reg: regs[u.Reg][0]}
	})
	if known {
		x.endings[in] = &given{arg, ir.Use{Reg: regs[d.Counter][0]}}
	} else {
		x.endings[in] = nil
	}
	return x.endings[in]
}

// findAlone finds the instructions of main's before which all threads have ended that may
// have been alive before it: then main has all tokens again.
func (x *instrumenter) findAlone() {
	x.aloneAgain = map[ir.Instr]bool{}
	if x.entry.Kind != "main" || !slices.ContainsFunc(x.active, x.allBack) {
		return
	}
	for _, p := range x.seq.Procs {
		preds := map[*ir.Block][]*ir.Block{}
		for _, b := range p.Body.Blocks {
			for _, s := range b.Succs() {
				preds[s] = append(preds[s], b)
			}
		}
		end := map[*ir.Block]bool{} // main is alone at the end of the block
		for _, b := range p.Body.Blocks {
			end[b] = len(b.Instrs) > 0 && x.isAlone(b.Instrs[len(b.Instrs)-1]) && !startsOrWaits(b.Instrs[len(b.Instrs)-1])
		}
		for _, b := range p.Body.Blocks {
			was := !slices.ContainsFunc(preds[b], func(q *ir.Block) bool { return !end[q] })
			for _, in := range b.Instrs {
				now := x.isAlone(in)
				if now && !was {
					x.aloneAgain[in] = true
				}
				was = now && !startsOrWaits(in)
			}
		}
	}
}

func (x *instrumenter) isAlone(in ir.Instr) bool {
	orig := x.seq.Origin[in].Instr
	return orig != nil && x.f.mh.Alone(x.entry, orig)
}

// startsOrWaits reports whether there may be more threads, or fewer, behind an
// instruction than before it.
func startsOrWaits(in ir.Instr) bool {
	switch in.(type) {
	case *ir.Spawn, *ir.Join, *ir.Call:
		return true
	}
	return false
}

// allBack reports whether main has every token of a kind while it is alone: it had them
// all at the start, and those of objects that another thread makes later go to nobody
// else.
func (x *instrumenter) allBack(fn *guard) bool { return fn.frame != nil && x.hasAll(fn) }

// regained is the ghost code before an instruction by which main gets all tokens back.
func (x *instrumenter) regained(in ir.Instr) []ir.Instr {
	if !x.aloneAgain[in] {
		return nil
	}
	var out []ir.Instr
	for _, fn := range x.active {
		if x.allBack(fn) {
			out = append(out, fn.Apply(permission.Transfer{Share: permission.Full}, in.At())...)
		}
	}
	return out
}
