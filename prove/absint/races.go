package absint

import (
	"slices"
	"strings"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/smt/bv"
)

// maxTouches bounds the accesses, along paths, of which races are asked about.
const maxTouches = 3000

// A Race is two accesses that were not proved not to race.
type Race struct{ First, Second ir.Instr }

// A touch is an access that a thread at a point may be about to make, or that it makes in
// the atomic section it is about to enter.
type touch struct {
	at      *point
	in      ir.Instr // of the program as it was
	acc     alias.Access
	addr    *bv.Term // nil: any
	guard   *bv.Term
	section bool
}

// touches records the accesses of an instruction that may race.
func (x *path) touches(in ir.Instr) error {
	iv := x.iv
	if !iv.racy[in] {
		return nil
	}
	for _, acc := range slices.Concat(iv.a.alias.Accesses(in), iv.a.alias.Uses(in)) {
		if acc.Null {
			continue
		}
		if len(iv.touched) == maxTouches {
			return errTooLarge
		}
		iv.touched = append(iv.touched, touch{at: x.from, in: iv.a.flat.orig[in], acc: acc, addr: x.address(in, acc), guard: iv.b.And(x.guard...), section: x.depth > 0})
	}
	return nil
}

// address is the address of an access of known size; nil where it is not known.
func (x *path) address(in ir.Instr, acc alias.Access) *bv.Term {
	switch in.(type) {
	case *ir.Load, *ir.Store, *ir.RMW, *ir.CmpXchg:
		if acc.Size > 0 && acc.Addr != nil && !threadLocal(acc.Addr) {
			return x.eval(acc.Addr)
		}
	}
	return nil
}

// threadLocal reports whether an address is one of a variable that each thread has for
// itself.
func threadLocal(e ir.Expr) bool {
	own := false
	ir.WalkExpr(e, func(e ir.Expr) bool {
		g, ok := e.(ir.GlobalAddr)
		own = own || ok && g.Global.ThreadLocal
		return true
	})
	return own
}

// findRacy finds the instructions that may race.
func (iv *invariants) findRacy() {
	iv.racy = map[ir.Instr]bool{}
	for _, t := range iv.a.threads {
		for _, b := range t.cfg.RPO {
			for _, in := range b.Instrs {
				if o := iv.a.flat.orig[in]; o != nil {
					iv.racy[in] = slices.ContainsFunc(iv.a.threads, func(u *thread) bool { return iv.mayMeet(t, u, o) })
				}
			}
		}
	}
}

// mayMeet reports whether an instruction (of the program as it was) of t may race with
// one of u.
func (iv *invariants) mayMeet(t, u *thread, in ir.Instr) bool {
	return (t != u || t.multi) && iv.a.races(t.entry.Name, u.entry.Name, in)
}

// racing is a race that the invariants do not exclude; nil where there is none.
func (iv *invariants) racing() (*Race, error) {
	iv.commonVars()
	pr, err := iv.prover()
	if err != nil {
		return nil, err
	}
	for i, x := range iv.touched {
		for _, y := range iv.touched[i:] {
			if !iv.conflict(x, y) {
				continue
			}
			apart, err := iv.apart(pr, x, y)
			if err != nil {
				return nil, err
			}
			if !apart {
				return &Race{x.in, y.in}, nil
			}
		}
	}
	return nil, nil
}

// conflict reports whether two accesses of two threads are a race where they are at one
// place at one time.
func (iv *invariants) conflict(x, y touch) bool {
	t, u := x.at.thread, y.at.thread
	switch {
	case !x.acc.Conflict(y.acc), x.section && y.section, !iv.mayMeet(t, u, x.in), !iv.mayMeet(u, t, y.in):
		return false
	case x.acc.Unknown, y.acc.Unknown:
		return true
	}
	return slices.ContainsFunc(x.acc.Regions, func(r *alias.Region) bool { return slices.Contains(y.acc.Regions, r) })
}

// apart reports whether two threads are never about to make the two accesses at one
// place.
func (iv *invariants) apart(pr *prover, x, y touch) (bool, error) {
	b := iv.b
	now := iv.pairs[key(x.at.id, y.at.id)]
	if now != nil && now.never {
		return true, nil
	}
	first, err := pr.invariant(x.at, "k")
	if err != nil {
		return false, err
	}
	second, err := pr.invariant(y.at, "j")
	if err != nil {
		return false, err
	}
	as := []*bv.Term{first, second}
	if now != nil {
		both, err := pr.pairBelief(now, x.at, y.at)
		if err != nil {
			return false, err
		}
		as = append(as, both)
	}
	if len(iv.counters) > 0 {
		numbers, err := pr.assumed(invariant{p: x.at, q: y.at, role: "number"}, func() []*bv.Term { return iv.counted(x.at, y.at) })
		if err != nil {
			return false, err
		}
		as = append(as, numbers)
	}
	other := iv.otherOne(y)
	meet := b.And(x.guard, other.guard)
	if x.addr != nil && y.addr != nil {
		meet = b.And(meet, b.Or(b.ULt(b.Sub(other.addr, x.addr), b.Num(64, uint64(x.acc.Size))), b.ULt(b.Sub(x.addr, other.addr), b.Num(64, uint64(y.acc.Size)))))
	}
	keep, err := pr.kept(as, []*bv.Term{b.Not(meet)}, nil)
	return err == nil && keep[0], err
}

// otherOne is an access with the variables of the thread in role j.
func (iv *invariants) otherOne(y touch) touch {
	by := map[*bv.Term]*bv.Term{}
	seen := map[*bv.Term]bool{}
	var walk func(t *bv.Term)
	walk = func(t *bv.Term) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		for _, a := range t.Args {
			walk(a)
		}
		if t.Op != bv.OpVar || iv.common[t] {
			return
		}
		if name, own := strings.CutPrefix(t.Name, "k."); own {
			by[t] = iv.b.Var("j."+name, t.Width)
		} else {
			by[t] = iv.b.Fresh("other", t.Width)
		}
	}
	walk(y.guard)
	walk(y.addr)
	y.guard = iv.b.Substitute(y.guard, by)
	if y.addr != nil {
		y.addr = iv.b.Substitute(y.addr, by)
	}
	return y
}

// commonVars are the variables that mean the same for all threads.
func (iv *invariants) commonVars() {
	iv.common = map[*bv.Term]bool{}
	for _, s := range iv.sharedSlots {
		iv.common[iv.b.Var(s.name("k"), s.width)] = true
	}
	for _, c := range iv.counters {
		s := countSlotOf(c)
		iv.common[iv.b.Var(s.name("k"), s.width)] = true
	}
	for v := range iv.known { // addresses
		iv.common[v] = true
	}
}
