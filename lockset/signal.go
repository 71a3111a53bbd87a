package lockset

import (
	"fmt"
	"slices"
	"sort"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
)

// Signals: a semaphore that starts at 0 and that only one entry posts, which runs once.
// Who has waited for it comes after the first post. The poster has all of the resource
// until it posts for the first time; who has waited has a part from there on. It is the
// theory of flags (flag.go), with a wait in place of a load that sees the flag set.

// signal is the theory of one semaphore.
type signal struct {
	region *alias.Region
	poster *ir.Entry
}

func (s *signal) side() *ir.Entry { return s.poster }

func (*signal) traits() traits { return traits{everywhere: true, hidden: true} }

// initial: its poster has all of it.
func (s *signal) initial(x *instrumenter, _ *guard) (full, some ir.Expr) {
	if s.poster == x.entry {
		return ir.BoolConst(true), ir.BoolConst(true)
	}
	return nil, nil
}

// transfers: the first post gives it away, and who has waited has a part.
func (s *signal) transfers(x *instrumenter, in ir.Instr, _ *guard) []permission.Transfer {
	t := x.f.targets[x.seq.Origin[in].Instr]
	switch in := in.(type) {
	case *ir.SemPost:
		if s.poster == x.entry && (t.unknown || slices.Contains(t.regions, s.region)) {
			return []permission.Transfer{permission.Loses()}
		}
	case *ir.SemWait:
		switch {
		case s.poster == x.entry || t.unknown || len(t.regions) != 1 || t.regions[0] != s.region:
		case !in.Try:
			return []permission.Transfer{permission.Gets(permission.Some, nil)}
		case in.Dst != nil:
			return []permission.Transfer{{Share: permission.Some, If: ir.Use{Reg: in.Dst}}}
		}
	}
	return nil
}

// signalLocks adds the signals of a program.
func (l *locks) signalLocks() {
	if l.f.wild {
		return
	}
	posters, bad := map[*alias.Region]*ir.Entry{}, map[*alias.Region]bool{}
	for _, e := range l.f.p.Entries {
		for _, f := range l.f.reach[e] {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if !l.signalOp(e, in, posters, bad) {
						return
					}
				}
			}
		}
	}
	rs := make([]*alias.Region, 0, len(posters))
	for r := range posters {
		rs = append(rs, r)
	}
	sort.Slice(rs, func(i, j int) bool { return rs[i].ID < rs[j].ID })
	for _, r := range rs {
		g, w := single(r), posters[r]
		if bad[r] || g == nil || g.Extern || !r.Exact || r.Elem != 0 || len(l.flags) >= maxFlags ||
			!l.runsOnce(w) || l.f.al.WrittenOutside(r) {
			continue
		}
		if n, known := ir.InitialCount(g, r.Offset); !known || n != 0 {
			continue
		}
		name := "before " + place(g.Name, g.Type, r.Offset) + " is posted"
		fn := l.token(fmt.Sprintf("signal:%s+%d", g.Name, r.Offset), name, nil, &signal{r, w})
		l.flags = append(l.flags, fn)
		l.global = append(l.global, fn)
	}
}

// signalOp notes who posts the semaphores that an instruction may be on, and those that
// may have another count at the start. It is false where a post may be on any.
func (l *locks) signalOp(e *ir.Entry, in ir.Instr, posters map[*alias.Region]*ir.Entry, bad map[*alias.Region]bool) bool {
	t := l.f.targets[in]
	switch in := in.(type) {
	case *ir.SemPost:
		if t.unknown {
			return false
		}
		for _, r := range t.regions {
			bad[r] = bad[r] || posters[r] != nil && posters[r] != e
			posters[r] = e
		}
	case *ir.SemInit:
		if n, known := ir.ConstInt(in.Val); known && n == 0 {
			return true
		}
		for _, r := range t.regions {
			bad[r] = true
		}
		return !t.unknown
	case *ir.SemWait:
	case *ir.Lock, *ir.Unlock, *ir.LockInit, *ir.Once, *ir.CondWait, *ir.CondSignal,
		*ir.BarrierInit, *ir.BarrierWait:
		for _, r := range t.regions {
			bad[r] = true
		}
		return !t.unknown
	default:
		for _, a := range l.f.acc[in] {
			if !a.Write {
				continue
			}
			for _, r := range a.Regions { // it may leave a count
				bad[r] = true
			}
		}
	}
	return true
}
