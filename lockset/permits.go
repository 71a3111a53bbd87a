package lockset

import (
	"fmt"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
)

// Permits: a semaphore that starts at n, which readers wait for once and writers n times.
// The semaphore has n units at the start. A wait inhales a unit, and a post is by who has
// one (an obligation). So the count and the units that are out are n together: a wait
// finds a unit there, and who has n has all, while nobody else has any.
//
// It is set to n by main alone, before or between threads: then nobody has a unit who may
// use it.

// permits is the theory of such a semaphore.
type permits struct{ region *alias.Region }

func (*permits) traits() traits { return traits{everywhere: true, hidden: true} }

// initial: the semaphore has all units.
func (*permits) initial(*instrumenter, *guard) (full, some ir.Expr) { return nil, nil }

func (p *permits) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	t := x.f.targets[x.seq.Origin[in].Instr]
	mine := t.unknown || slices.Contains(t.regions, p.region)
	switch in := in.(type) {
	case *ir.SemInit:
		if mine {
			return []permission.Transfer{permission.Loses()}
		}
	case *ir.SemPost:
		if mine {
			return []permission.Transfer{permission.Owes(permission.Some, nil)}
		}
	case *ir.SemWait:
		if !mine || t.unknown || len(t.regions) > 1 || in.Try && in.Dst == nil {
			return nil
		}
		unit := permission.Gets(permission.Some, nil)
		if in.Try {
			unit.If = ir.Use{Reg: in.Dst}
		}
		all := ir.Use{Reg: g.Units[len(g.Units)-1]}
		return []permission.Transfer{unit, permission.Gets(permission.Full, all)}
	}
	return nil
}

// maxPermits bounds the units of a semaphore. Each is a register.
const maxPermits = 8

// permitLocks finds the semaphores that start at more than 1.
func (l *locks) permitLocks() {
	counts, bad := map[*alias.Region]int64{}, map[*alias.Region]bool{}
	for _, in := range l.f.instructions() {
		t := l.f.targets[in]
		switch in := in.(type) {
		case *ir.SemWait:
			for _, r := range t.regions {
				counts[r] = max(counts[r], 0)
			}
		case *ir.SemInit:
			n, known := ir.ConstInt(in.Val)
			for _, r := range t.regions {
				bad[r] = bad[r] || !known || !l.onlyAlone(in) || counts[r] != 0 && counts[r] != n
				counts[r] = n
			}
		case *ir.SemPost:
			for _, r := range t.regions {
				bad[r] = bad[r] || in.All
			}
		case *ir.Lock, *ir.Unlock, *ir.LockInit, *ir.Once, *ir.CondWait, *ir.CondSignal,
			*ir.BarrierInit, *ir.BarrierWait:
			for _, r := range t.regions {
				bad[r] = true
			}
		default:
			for _, a := range l.f.acc[in] {
				for _, r := range a.Regions {
					bad[r] = bad[r] || a.Write
				}
			}
		}
	}
	var rs []*alias.Region
	for r := range counts {
		rs = append(rs, r)
	}
	slices.SortFunc(rs, func(a, b *alias.Region) int { return a.ID - b.ID })
	for _, r := range rs {
		v := single(r)
		if v == nil || v.Extern || bad[r] || l.f.wild || l.f.syncAnywhere || !r.Exact || r.Elem != 0 || l.f.al.WrittenOutside(r) {
			continue
		}
		first, known := ir.InitialCount(v, r.Offset)
		n := max(counts[r], first)
		if !known || n < 2 || n > maxPermits || counts[r] != 0 && first != 0 && first != n {
			continue
		}
		g := l.token(fmt.Sprintf("permits:%s+%d", v.Name, r.Offset), place(v.Name, v.Type, r.Offset), nil, &permits{r})
		for i := range n {
			g.Units = append(g.Units, &ir.Reg{Name: fmt.Sprintf("$permit%d.%s", i, g.Held[1].Name), Type: ir.Bool{}, Ghost: true})
		}
		l.global = append(l.global, g)
	}
}

// permitCandidates guesses, for a loop head, that the thread has as many units as a
// register of the loop has counted, or that it has counted away.
func (x *instrumenter) permitCandidates(head *ir.Block, res *resolver) []ir.Expr {
	out := guesses{}
	for _, g := range x.active {
		if _, ok := theoryOf[*permits](g); !ok {
			continue
		}
		loop := res.loopAt(head)
		if loop == nil {
			continue
		}
		for _, i := range loopCounters(loop, res) {
			counted := ir.Binary{Op: "sub", X: widened(ir.Use{Reg: i.reg}), Y: widened(i.first)}
			out.add(ir.Binary{Op: "ge", X: counted, Y: ir.IntConst(wideInt, 0)})
			guess := func(u *ir.Reg, op string, n int) {
				far := ir.Binary{Op: op, X: counted, Y: ir.IntConst(wideInt, int64(n))}
				out.add(ir.Binary{Op: "lor", X: ir.Use{Reg: u}, Y: far})
			}
			for k, u := range g.Units {
				guess(u, "le", k)
				guess(u, "gt", len(g.Units)-1-k)
			}
			guess(g.Held[0], "lt", len(g.Units))
		}
	}
	return out.list()
}
