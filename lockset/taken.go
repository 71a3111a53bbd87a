package lockset

import (
	"fmt"
	"maps"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
	"whoop/smt/vcgen"
)

// Objects that are taken out of a shared structure under its lock: a job of a queue, a
// node of a free list. Who has taken one out has it alone, until it is put back.
//
// A structure has cells: heads (queue->first), and links in its objects (job->next). An
// object is in the structure if a head leads to it, or the link of an object in it. The
// claims:
//
//	(1) at most one cell of the structure leads to an object: a head, or a link of an
//	    object in it;
//	(2) an object that a thread has is not in it, and no other thread has it.
//
// Heads change under the structure's lock, which the address of the head gives, or while
// main is alone; so do links of objects in it, which are found from a head meanwhile. Links
// of other objects are set by who has the object (an obligation). What a store to a head or
// to a link does is known (takenflow.go), else it is an obligation that nobody meets:
//
//   - null: what was there is out, with all that it led to;
//   - the link of what was there: that one is out, and what it led to is in;
//   - an object that the thread has (an obligation), whose links are null, or one of them
//     is what was there: that object is in; in the first case what was there is out.
//
// What was there is known where the thread has read it since it took the lock. It gets
// the object if that is out, for by (1) nothing else in the structure led to it, and by
// (2) nobody had it. What the object led to comes out with it, unless it stays in. Nobody
// else finds that, so the thread gets it when it reads the link, once, if it has set no
// link since. So (1) and (2) are kept. An object is freed by who has it (an obligation), so
// no cell of the structure leads to freed memory.
//
// The pointer to the last object of a list is no cell. But a third claim holds whenever
// the lock is free:
//
//	(3) the head is null, or the pointer leads to an object of the list whose links are
//	    null.
//
// Taking out the first object keeps it: the last one is another one, or the head becomes
// null. So does putting one before the first. Who puts one behind the last, or in an empty
// list, sets the pointer before the lock is free.
//
// Two resources say this. Full of "out" is to have the object. Full of "its structure" is
// more: an object that is found in the structure is the thread's while the lock is held.

// structure is a structure whose objects are taken out.
type structure struct {
	// heads are the regions of its heads, with the place of the lock; links those of its
	// links. offsets are where links lie in objects.
	heads   map[*alias.Region]lockPlace
	links   map[*alias.Region]bool
	offsets map[int64]bool
	// lasts are the regions of pointers to the last object of a list, with the place of its
	// head.
	lasts map[*alias.Region]lastPlace
	out   *guard
	kept  *guard
}

// lockPlace is where the lock of a head is: a variable, or so many bytes from the head.
type lockPlace struct {
	global *ir.Global
	off    int64
}

// lastPlace is where the head is of a list whose last object a pointer leads to, with the
// head's region.
type lastPlace struct {
	lockPlace
	head *alias.Region
}

// taken is the theory of the objects of a structure. kept: also of those in it, while the
// lock is held.
type taken struct {
	s    *structure
	kept bool
}

func (*taken) traits() traits { return traits{whole: true, everywhere: true, hidden: true} }

// initial: nobody has any.
func (*taken) initial(*instrumenter, *guard) (full, some ir.Expr) { return nil, nil }

// transfers: who makes an object has it, and who takes it out, until it is put in.
func (t *taken) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	w := ir.Use{Reg: g.frame.watch}
	is := func(e ir.Expr) ir.Expr { return ir.Binary{Op: "eq", X: asPtr(e), Y: w} }
	var out []permission.Transfer
	switch in := in.(type) {
	case *ir.Alloc:
		if in.Kind != "stack" {
			out = append(out, permission.Gets(permission.Full, is(ir.Use{Reg: in.Dst})))
		}
		return out
	case *ir.Free:
		f := permission.Transfer{Kind: permission.Owe, Share: permission.Full, If: is(in.Addr), Owed: true}
		f.Or = ir.Binary{Op: "eq", X: asPtr(in.Addr), Y: ir.Null{T: ir.VPtr}}
		if !t.kept && !in.Scope && t.s.frees(x, in) {
			out = append(out, f)
		}
		return out
	}
	op := x.cellOp(t.s, in)
	if op == nil {
		return nil
	}
	switch {
	case op.ends && t.kept:
		f := permission.Transfer{Kind: permission.Exhale, Share: permission.Full}
		if x.isActive(t.s.out) {
			f.If = ir.Unary{Op: "lnot", X: t.s.out.Has(permission.Full)}
		}
		out = append(out, f)
	case t.kept:
		for _, v := range op.found {
			out = append(out, permission.Gets(permission.Full, is(v.expr())))
		}
	}
	if !t.kept {
		out = append(out, op.owes(is)...)
	}
	if !op.bad {
		for _, v := range op.takes {
			out = append(out, permission.Gets(permission.Full, is(v.expr())))
		}
	}
	return out
}

// owes are the obligations of an operation.
func (op *cellOp) owes(is func(ir.Expr) ir.Expr) []permission.Transfer {
	var out []permission.Transfer
	if op.bad {
		out = append(out, permission.Owes(permission.Full, nil))
	}
	if op.of != nil {
		out = append(out, permission.Transfer{Kind: permission.Owe, Share: permission.Full, If: is(op.of.expr()), Owed: true})
	}
	if op.puts != nil {
		t := permission.Owes(permission.Full, is(op.puts.expr()))
		t.Or = ir.Binary{Op: "eq", X: asPtr(op.puts.expr()), Y: ir.Null{T: ir.VPtr}}
		out = append(out, t)
	}
	return out
}

// depends: what is lost or doubted says it all.
func (t *taken) depends() *alias.Region { return nil }

// void: who may not have what it puts in may find there what it has not taken out; and a
// lock that keeps nobody out protects no structure.
func (t *taken) void(j *comparer, _ *guard, lost map[*guard]bool) bool {
	if lost[t.s.out] {
		return true
	}
	return slices.ContainsFunc(j.l.list, func(h *guard) bool {
		return (lost[h] || j.doubted[h] != nil) && t.s.restsOn(h)
	})
}

// restsOn reports whether a lock function may be of a lock of the structure.
func (s *structure) restsOn(h *guard) bool {
	k, ok := theoryOf[*lock](h)
	if !ok {
		return false
	}
	for r, at := range s.heads {
		if at.global != nil && h.frame == nil && k.pointer == nil {
			if g, off, ok := constAddr(k.addr); ok && (g != at.global || off != at.off) {
				continue
			}
		}
		if at.global == nil && len(k.regions) > 0 && !slices.ContainsFunc(k.regions, func(q *alias.Region) bool { return shareObject(q, r) }) {
			continue
		}
		return true
	}
	return false
}

// cellOp is what an instruction does to the cells of a structure; nil for nothing.
func (x *instrumenter) cellOp(s *structure, in ir.Instr) *cellOp {
	ops := x.cellOps[s]
	if ops == nil {
		ops = x.followCells(s)
	}
	if op := ops[in]; op != nil {
		return op
	}
	heads, links, _ := s.kind(x.f.acc[x.seq.Origin[in].Instr])
	if _, store := in.(*ir.Store); store && (heads || links) {
		return &cellOp{bad: true}
	}
	return nil
}

// followCells follows the cells of a structure through the procedures of the entry.
func (x *instrumenter) followCells(s *structure) map[ir.Instr]*cellOp {
	if x.cellOps == nil {
		x.cellOps, x.foundAt = map[*structure]map[ir.Instr]*cellOp{}, map[*ir.Block]map[*structure][]pointed{}
	}
	ops := map[ir.Instr]*cellOp{}
	for _, p := range x.seq.Procs {
		w := &takenFlow{s: s, f: x.f, source: func(in ir.Instr) ir.Instr { return x.seq.Origin[in].Instr }}
		w.alone = func(in ir.Instr) bool {
			orig := w.source(in)
			return orig != nil && x.alone(orig)
		}
		w.steady = func(in ir.Instr) bool { return x.onlyHere(w.source(in)) }
		w.run(p.Body)
		maps.Copy(ops, w.ops)
		for b, rs := range w.heads {
			if x.foundAt[b] == nil {
				x.foundAt[b] = map[*structure][]pointed{}
			}
			x.foundAt[b][s] = rs
		}
	}
	x.cellOps[s] = ops
	return ops
}

// onlyHere reports whether only the entry itself writes the one place that an instruction
// accesses, while it runs.
func (x *instrumenter) onlyHere(in ir.Instr) bool {
	acc := x.f.acc[in]
	if len(acc) != 1 || acc[0].Unknown || len(acc[0].Regions) == 0 {
		return false
	}
	return !slices.ContainsFunc(acc[0].Regions, func(r *alias.Region) bool {
		return !r.Exact || x.classify(r) == vcgen.Arbitrary
	})
}

// foundCandidates guesses, for a loop head, that the thread has what it found in
// structures.
func (x *instrumenter) foundCandidates(head *ir.Block) []ir.Expr {
	var out []ir.Expr
	for _, g := range x.active {
		t, ok := theoryOf[*taken](g)
		if !ok {
			continue
		}
		for _, v := range x.foundAt[head][t.s] {
			w := ir.Use{Reg: g.frame.watch}
			other := ir.Binary{Op: "lor", X: ir.Binary{Op: "ne", X: v.expr(), Y: w}, Y: ir.Binary{Op: "eq", X: w, Y: ir.Null{T: ir.VPtr}}}
			out = append(out, ir.Binary{Op: "lor", X: other, Y: g.Has(permission.Full)})
		}
	}
	return out
}

// frees reports whether what an instruction frees must not be in the structure: it may be
// used afterwards.
func (s *structure) frees(x *instrumenter, in *ir.Free) bool {
	orig := x.seq.Origin[in].Instr
	if orig == nil || !x.alone(orig) || x.startsAfter(in) {
		return orig == nil || s.maybe(x.f.acc[orig])
	}
	return false
}

// maybe reports whether accesses may be to objects in the structure. Those have all links:
// whose links are not known to be null, or to be what was there, is not put in.
func (s *structure) maybe(acc []alias.Access) bool {
	if len(s.links) == 0 {
		return true
	}
	for _, a := range acc {
		if a.Unknown {
			return true
		}
		for _, r := range a.Regions {
			for q := range s.links {
				if shareObject(q, r) {
					return true
				}
			}
		}
	}
	return false
}

// makes reports whether an allocation is of objects with links.
func (s *structure) makes(in ir.Instr) bool {
	for r := range s.links {
		if slices.ContainsFunc(r.Objects, func(o *alias.Object) bool { return o.Alloc != nil && ir.Instr(o.Alloc) == in }) {
			return true
		}
	}
	return false
}

// startsAfter reports whether threads may be started behind an instruction.
func (x *instrumenter) startsAfter(in ir.Instr) bool {
	for _, p := range x.seq.Procs {
		for _, b := range p.Body.Blocks {
			if !slices.Contains(b.Instrs, in) {
				continue
			}
			seen := map[*ir.Block]bool{}
			work := []*ir.Block{b}
			for len(work) > 0 {
				b := work[len(work)-1]
				work = work[:len(work)-1]
				for _, in := range b.Instrs {
					switch in.(type) {
					case *ir.Spawn, *ir.Call, *ir.Register:
						return true
					}
				}
				for _, n := range b.Succs() {
					if !seen[n] {
						seen[n] = true
						work = append(work, n)
					}
				}
			}
			return x.seq.Procs[0] != p
		}
	}
	return true
}

// kind reports whether accesses may be to heads, to links, and to others.
func (s *structure) kind(acc []alias.Access) (heads, links, others bool) {
	for _, a := range acc {
		others = others || a.Unknown
		for _, r := range a.Regions {
			_, head := s.heads[r]
			heads, links, others = heads || head, links || s.links[r], others || !head && !s.links[r]
		}
	}
	return heads, links, others
}

// headOf is the head of the list whose last object a cell leads to; false where it is none
// of that kind.
func (s *structure) headOf(acc []alias.Access, at pointed) (pointed, bool) {
	var head pointed
	is := false
	for _, a := range acc {
		for _, r := range a.Regions {
			k, ok := s.lasts[r]
			if !ok {
				continue
			}
			if is && head != k.of(at) {
				return pointed{}, true
			}
			head, is = k.of(at), true
		}
	}
	return head, is
}

// isHead reports whether an address is that of a head, if it is one of a cell, whose lock
// the thread holds.
func (s *structure) isHead(at pointed, now *inside) bool {
	if at.null() {
		return false
	}
	for r, k := range s.heads {
		g := single(r)
		known := g != nil && at.global == g && at.off == r.Offset || at.reg != nil && k.global == nil
		if known && now.held[k.of(at)] {
			return true
		}
	}
	return false
}

// holds reports whether the thread holds the lock of a list, of which a cell leads to the
// last object.
func (s *structure) holds(acc []alias.Access, at pointed, now *inside) bool {
	for _, a := range acc {
		for _, r := range a.Regions {
			if k, ok := s.lasts[r]; !ok || !now.held[s.heads[k.head].of(k.of(at))] {
				return false
			}
		}
	}
	return true
}

// offsetOf is where the link lies in its object that is accessed; -1 where that varies.
func (s *structure) offsetOf(acc []alias.Access) int64 {
	off := int64(-1)
	for _, a := range acc {
		for _, r := range a.Regions {
			if off >= 0 && off != r.Offset {
				return -1
			}
			off = r.Offset
		}
	}
	return off
}

// locked reports whether the thread holds the lock of a head.
func (s *structure) locked(acc []alias.Access, at pointed, now *inside) bool {
	found := false
	for _, a := range acc {
		for _, r := range a.Regions {
			k, ok := s.heads[r]
			if !ok || !now.held[k.of(at)] {
				return false
			}
			found = true
		}
	}
	return found
}

// of is the lock of the head at an address.
func (k lockPlace) of(at pointed) pointed {
	if k.global != nil {
		return pointed{global: k.global, off: k.off}
	}
	return at.plus(k.off)
}

// takenLocks finds the structures whose objects are taken out.
func (l *locks) takenLocks() {
	if l.f.wild {
		return
	}
	d := &cellSearch{l: l, writers: l.f.writers(), candidate: map[*alias.Region]bool{}, unlinked: map[*alias.Region]map[*alias.Region]bool{}, extended: map[*alias.Region]map[*alias.Region]bool{},
		places: map[*alias.Region]map[lockPlace]int{}}
	for _, s := range d.structures() {
		fr := l.frame("taken")
		key := fmt.Sprintf("taken:%d", len(l.structures))
		s.out = l.token(key+":out", "an object taken out", fr, &taken{s: s})
		s.kept = l.token(key+":kept", "its structure", fr, &taken{s: s, kept: true})
		l.structures = append(l.structures, s)
	}
}

// takenOut are the tokens of structures for a region.
func (l *locks) takenOut(r *alias.Region) []regionLock {
	if !r.Exact || !allHeap(r) {
		return nil
	}
	var out []regionLock
	for _, s := range l.structures {
		out = append(out, inObject(s.kept, s.kept.frame, r))
	}
	return out
}
