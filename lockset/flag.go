package lockset

import (
	"fmt"
	"math/big"
	"slices"
	"sort"

	"whoop/analysis/alias"
	"whoop/internal/graph"
	"whoop/ir"
	"whoop/lockset/permission"
)

// Flags: a global variable that only one entry writes, which runs once, is a lock without
// a lock. Its writer holds it exclusively until it writes it for the first time; who has
// read another value than that of its initialiser holds it shared from there on, for then
// the first write is over. What the writer did before, nobody does at the same time who
// has seen the flag. That holds where accesses of the flag are ordered themselves: writes
// release and reads acquire, or all are under a common lock (see unordered). Relaxed ones
// order nothing.

// flag is the theory of a variable that is set once.
type flag struct {
	region *alias.Region
	writer *ir.Entry
	first  int64 // the initialiser; null of pointers is 0
}

func (f *flag) side() *ir.Entry { return f.writer }

func (*flag) traits() traits { return traits{everywhere: true, hidden: true} }

// initial: its writer has all of it.
func (f *flag) initial(x *instrumenter, _ *guard) (full, some ir.Expr) {
	if f.writer == x.entry {
		return ir.BoolConst(true), ir.BoolConst(true)
	}
	return nil, nil
}

// transfers: the writer gives it away when it writes the flag, and who sees that has a
// part.
func (f *flag) transfers(x *instrumenter, in ir.Instr, _ *guard) []permission.Transfer {
	var out []permission.Transfer
	if f.writer == x.entry && slices.Contains(x.f.writeIDs[x.seq.Origin[in].Instr], f.region.ID) {
		out = append(out, permission.Loses())
	}
	if ld, ok := in.(*ir.Load); ok {
		if seen := f.saw(x, ld); seen != nil {
			out = append(out, permission.Transfer{Share: permission.Some, If: seen})
		}
	}
	return out
}

// maxFlags bounds the flags and signals of a program. Precision only.
const maxFlags = 8

// flagLocks adds the flags of a program.
func (l *locks) flagLocks() {
	if l.f.wild {
		return
	}
	var rs []*alias.Region
	for r := range l.f.touches {
		rs = append(rs, r)
	}
	sort.Slice(rs, func(i, j int) bool { return rs[i].ID < rs[j].ID })
	g := findGuarded(l.f.p)
	for _, r := range rs {
		v := single(r)
		if v == nil || v.Extern || !r.Exact || r.Elem != 0 || r.Size > 8 || len(l.flags) >= maxFlags || l.f.al.WrittenOutside(r) {
			continue
		}
		first, known := firstValue(v, r.Offset)
		w := l.onlyWriter(r, g)
		if !known || w == nil || !l.runsOnce(w) || !l.setDuring(r, w) || !l.kept(r, w, g) {
			continue
		}
		fn := l.token(fmt.Sprintf("flag:%s+%d", v.Name, r.Offset), "before "+place(v.Name, v.Type, r.Offset)+" is set", nil, &flag{r, w, first})
		l.flags = append(l.flags, fn)
		l.global = append(l.global, fn)
	}
}

// onlyWriter is the one entry that writes a region, where another one tests what it reads
// there; nil where there are more, or nobody does.
func (l *locks) onlyWriter(r *alias.Region, g *guarded) *ir.Entry {
	var w *ir.Entry
	read := false
	for _, c := range l.f.touches[r] {
		for _, u := range c.writes {
			if w != nil && w != u.entry {
				return nil
			}
			w = u.entry
		}
	}
	for _, c := range l.f.touches[r] {
		for _, u := range c.uses {
			ld, ok := u.in.(*ir.Load)
			read = read || ok && u.entry != w && l.alone(ld, r) && g.tests(ld, ld.Dst)
		}
	}
	if !read {
		return nil
	}
	return w
}

// setDuring reports whether the writer may write a region while another entry reads it:
// what is set before the others start needs no flag.
func (l *locks) setDuring(r *alias.Region, w *ir.Entry) bool {
	for _, c := range l.f.touches[r] {
		for _, u := range c.writes {
			if u.entry == w && l.meets(r, u) {
				return true
			}
		}
	}
	return false
}

// tests reports whether a branch of the function that loads a value depends on it,
// directly or through assignments, or what the function returns.
func (g *guarded) tests(in ir.Instr, result *ir.Reg) bool {
	f := g.of[in]
	if f == nil {
		return false
	}
	from := map[*ir.Reg]bool{result: true}
	for again := true; again; {
		again = false
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if a, ok := in.(*ir.Assign); ok && !from[a.Dst] && reads(a.X, from) {
					from[a.Dst], again = true, true
				}
			}
		}
	}
	for _, b := range f.Blocks {
		for _, x := range ir.TermOperands(b.Term) {
			if reads(x, from) {
				return true
			}
		}
	}
	return false
}

// reads reports whether an expression reads one of the registers.
func reads(x ir.Expr, rs map[*ir.Reg]bool) bool {
	found := false
	ir.WalkExpr(x, func(e ir.Expr) bool {
		u, ok := e.(ir.Use)
		found = found || ok && rs[u.Reg]
		return !found
	})
	return found
}

// kept reports whether accesses of a region may be ordered: writes that others may see
// release, what is not atomic is where a lock may be held.
func (l *locks) kept(r *alias.Region, w *ir.Entry, g *guarded) bool {
	for _, c := range l.f.touches[r] {
		for _, u := range c.uses {
			if u.entry == w && (!u.acc.Write || !l.meets(r, u)) {
				continue
			}
			if atomic := u.acc.Order.Atomic(); u.acc.Write && atomic && !releases(u.acc.Order) || !atomic && !g.there(u.in) {
				return false
			}
		}
	}
	return true
}

// releases reports whether a write of that order is seen with all that was done before
// it.
func releases(o ir.Order) bool { return o == ir.Release || o == ir.AcqRel || o == ir.SeqCst }

// acquires reports whether a read of that order shows what was done before the write that
// it reads; one that is not atomic does so under a lock.
func acquires(o ir.Order) bool {
	return !o.Atomic() || o == ir.Acquire || o == ir.AcqRel || o == ir.SeqCst
}

// meets reports whether a write may happen while another entry accesses the region.
func (l *locks) meets(r *alias.Region, w use) bool {
	for _, d := range l.f.touches[r] {
		for _, v := range d.uses {
			if v.entry == w.entry {
				continue
			}
			if may, _ := l.f.mh.Parallel(w.entry, w.in, v.entry, v.in); may {
				return true
			}
		}
	}
	return false
}

// alone reports whether a load is of one region, and of nothing else.
func (l *locks) alone(ld *ir.Load, r *alias.Region) bool {
	acc := l.f.acc[ld]
	return len(acc) == 1 && !acc[0].Unknown && len(acc[0].Regions) == 1 && acc[0].Regions[0] == r
}

// runsOnce reports whether there is one run of an entry: of main's or a module's
// initialisation, or of a thread which such a one starts at one place outside of loops.
func (l *locks) runsOnce(e *ir.Entry) bool {
	if e.Multi || startsOnce(e) {
		return !e.Multi
	}
	if !e.Spawned && e.Kind != "kthread" {
		return false
	}
	starts := 0
	for _, s := range l.f.p.Entries {
		for _, f := range l.f.reach[s] {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if !mayStart(in, e) {
						continue
					}
					if starts++; starts > 1 || !startsOnce(s) || s.Multi || f != s.Func || graph.OnCycle(b, (*ir.Block).Succs) {
						return false
					}
				}
			}
		}
	}
	return starts == 1
}

// startsOnce reports whether an entry is run when the program starts, or the module is
// loaded.
func startsOnce(e *ir.Entry) bool { return e.Kind == "main" || e.Kind == "init" && e.Init }

// mayStart reports whether an instruction may start a thread of an entry.
func mayStart(in ir.Instr, e *ir.Entry) bool {
	switch in := in.(type) {
	case *ir.Spawn:
		fa, ok := in.Fn.(ir.FuncAddr)
		return !ok || fa.Func == e.Func
	case *ir.Register:
		if in.Fn != nil {
			f := ir.FuncOf(in.Fn)
			return f == nil || f == e.Func
		}
		return !e.Spawned && ir.Covers(in.Kinds, e.Kind)
	}
	return false
}

// firstValue is what a global's initialiser puts at an offset.
func firstValue(g *ir.Global, off int64) (int64, bool) {
	for _, c := range g.Init {
		n := max(c.Value.Type().Size(), 1)
		if off+8 <= c.Offset || c.Offset+n <= off {
			continue
		}
		k, ok := c.Value.(ir.Const)
		if !ok || c.Offset != off || !k.Val.IsInt64() {
			return 0, false
		}
		return k.Val.Int64(), true
	}
	return 0, true
}

// saw is the condition under which a load shows that the first write is over; nil where
// it says nothing.
func (f *flag) saw(x *instrumenter, in *ir.Load) ir.Expr {
	orig, ok := x.seq.Origin[in].Instr.(*ir.Load)
	if !ok || !acquires(orig.Order) || !x.l.alone(orig, f.region) || in.Dst == nil || in.Dst.Type.Size() != f.region.Size {
		return nil
	}
	v := ir.Use{Reg: in.Dst}
	switch t := in.Dst.Type.(type) {
	case ir.Int:
		return ir.Binary{Op: "ne", X: v, Y: ir.Const{T: t, Val: ir.Wrap(t, big.NewInt(f.first))}}
	case ir.Bool:
		if f.first == 0 {
			return v
		}
		return ir.Unary{Op: "lnot", X: v}
	case ir.Ptr:
		if f.first == 0 {
			return ir.Binary{Op: "ne", X: v, Y: ir.Null{T: t}}
		}
	}
	return nil
}

func (f *flag) depends() *alias.Region { return f.region }

// void reports whether two accesses of the flag that may happen at the same time have no
// lock in common: seeing it orders nothing.
func (f *flag) void(j *comparer, _ *guard, lost map[*guard]bool) bool {
	common := j.heldAtAll(f.region, lost, func(st *site) (counts, alone bool) { return true, st.acc.Write })
	return common != nil && len(common) == 0
}

// heldAtAll are the locks that are held at all accesses of a region that count, alone
// where that is asked for; nil where there are no such accesses.
func (j *comparer) heldAtAll(r *alias.Region, lost map[*guard]bool, asks func(*site) (counts, alone bool)) map[*guard]bool {
	var common map[*guard]bool
	for _, s := range j.sums {
		for _, st := range s.sites {
			if st.dead || !slices.Contains(st.regions, r) {
				continue
			}
			counts, alone := asks(st)
			if !counts {
				continue
			}
			held := map[*guard]bool{}
			for h, mode := range st.held {
				if h.excludes() && !lost[h] && j.doubted[h] == nil && (!alone || mode == ir.Exclusive) && (common == nil || common[h]) {
					held[h] = true
				}
			}
			common = held
		}
	}
	return common
}
