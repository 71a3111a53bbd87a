package lockset

import (
	"fmt"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
	"whoop/smt/vcgen"
)

// Ownership of an object or array element that is handed to a thread with its argument: a
// lock without a lock. For the watched base address there is one token. The main thread
// holds the tokens of what exists when it starts (global variables) and of what it alone
// makes, whoever allocates an object gets its token, and a thread starts with the token
// of the object that its argument points to. A spawn must hold the token that it hands
// over (an obligation), and loses it. So no two threads hold one token at a time, and
// accesses that both hold it do not race. Where one hand-over cannot be proved, the token
// protects nothing.

// maxOwned bounds the groups of regions that tokens are tried for. Precision only.
const maxOwned = 24

// ownLocks adds the tokens: one for each group of watched regions, where threads get
// pointers; of heap objects otherwise.
func (l *locks) ownLocks() {
	handed := l.handsOver()
	for _, r := range l.f.watchedRegions() {
		if fn := l.fns[fmt.Sprintf("own:%d", r.Group)]; fn != nil {
			fn.makers(r)
			continue
		}
		if !r.Exact || len(l.own) >= maxOwned || !handed && !allHeap(r) {
			continue
		}
		fr := l.frame(fmt.Sprintf("x:%d", r.Group))
		key := fmt.Sprintf("own:%d", r.Group)
		fn := l.token(key, "its own object", fr, &own{})
		fn.makers(r)
		l.own = append(l.own, fn)
	}
}

// own is the theory of objects that are handed to threads.
type own struct {
	// made are the allocations of what the token stands for.
	made map[ir.Instr]bool
	// element is set for those of the elements of arrays.
	element *element
}

func (*own) traits() traits { return traits{whole: true, everywhere: true, hidden: true} }

// initial: a thread has the object that its argument points to, or into (locks.into), main
// what is there when it starts.
func (o *own) initial(x *instrumenter, g *guard) (full, some ir.Expr) {
	params := x.params() // a function that is not understood has none
	var has ir.Expr
	switch {
	case o.element != nil && o.element.entry == x.entry:
		var args []ir.Expr
		for _, p := range params {
			args = append(args, ir.Use{Reg: p})
		}
		if at := o.element.address(args); at != nil {
			has = g.frame.isBase(at)
		}
	case o.element == nil && x.l.owner(x.entry) && len(params) > 0:
		has = g.frame.isBase(offsetFrom(asPtr(ir.Use{Reg: params[0]}), -x.l.into[x.entry.Func]))
	case x.isMain() && x.l.existsBefore(g): // what another thread may make is that one's
		has = ir.BoolConst(true)
	}
	return has, has
}

// isMain reports whether the entry is the one that starts the others.
func (x *instrumenter) isMain() bool { return isMain(x.entry) }

func isMain(e *ir.Entry) bool { return e.Kind == "main" && !e.Multi }

// transfers: who makes an object has it, a spawn hands it over, a join may bring it back.
func (o *own) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	switch in := in.(type) {
	case *ir.Alloc:
		if o.makes(x, in) {
			return []permission.Transfer{{Share: permission.Full, If: gainOwn(in, g)}}
		}
	case *ir.Spawn:
		if a := x.l.gives[x.seq.Origin[in].Instr]; a != nil && o.element == nil && !o.made[a] {
			return nil // it is none of the objects
		}
		if arg := x.handedOver(in, g); arg != nil {
			// nothing is there, so whoever has its token
			nothing := ir.Binary{Op: "eq", X: arg, Y: ir.Null{T: ir.VPtr}}
			return []permission.Transfer{{Kind: permission.Exhale, Share: permission.Full, If: g.frame.isBase(arg), Owed: true, Or: nothing}}
		}
	case *ir.Join:
		return x.backFrom(in, g)
	}
	return nil
}

// makers notes the allocations that make objects of a region.
func (fn *guard) makers(r *alias.Region) {
	o := fn.theory.(*own)
	if o.made == nil {
		o.made = map[ir.Instr]bool{}
	}
	for _, obj := range r.Objects {
		if obj.Alloc != nil {
			o.made[obj.Alloc] = true
		}
	}
}

// makes reports whether an allocation may make what the token stands for.
func (o *own) makes(x *instrumenter, in *ir.Alloc) bool { return o.made[x.seq.Origin[in].Instr] }

func allHeap(r *alias.Region) bool {
	for _, o := range r.Objects {
		if o.Kind != alias.KindHeap {
			return false
		}
	}
	return len(r.Objects) > 0
}

// handsOver reports whether some thread gets a pointer as its first argument.
func (l *locks) handsOver() bool { return slices.ContainsFunc(l.f.p.Entries, l.owner) }

// owner reports whether the entry starts with the token of what its first argument points
// to.
func (l *locks) owner(e *ir.Entry) bool {
	return getsPointer(e) && !l.numberOnly[e.Func]
}

// getsPointer reports whether the entry is a thread whose argument has the type of a
// pointer.
func getsPointer(e *ir.Entry) bool {
	return e.Spawned && e.Func != nil && len(e.Func.Params) > 0 && ir.IsPtr(e.Func.Params[0].Type)
}

// ownLock is the token for an access to region r.
func (l *locks) ownLock(r *alias.Region) (regionLock, bool) {
	fn := l.fns[fmt.Sprintf("own:%d", r.Group)]
	if fn == nil || !r.Exact {
		return regionLock{}, false
	}
	return inObject(fn, fn.frame, r), true
}

// existsBefore reports whether all objects of a token's regions are there when the
// program starts, or made by main.
func (l *locks) existsBefore(fn *guard) bool {
	l.existMu.Lock()
	defer l.existMu.Unlock()
	before, known := l.exist[fn]
	if !known {
		before = l.existed(fn)
		l.exist[fn] = before
	}
	return before
}

func (l *locks) existed(fn *guard) bool {
	for _, r := range l.f.watchedRegions() {
		if l.fns[fmt.Sprintf("own:%d", r.Group)] != fn && !slices.Contains(l.elements[r], fn) {
			continue
		}
		for _, o := range r.Objects {
			switch {
			case o.Kind == alias.KindGlobal && !o.Global.ThreadLocal:
			case o.Alloc != nil && l.onlyMainMakes(o.Alloc):
			default:
				return false
			}
		}
	}
	return true
}

// onlyMainMakes reports whether an allocation is in a function that main may run, and in
// none that another entry may.
func (l *locks) onlyMainMakes(a *ir.Alloc) bool {
	found := false
	for _, e := range l.f.p.Entries {
		if !slices.ContainsFunc(l.f.reach[e], func(f *ir.Func) bool { return contains(f, a) }) {
			continue
		}
		if e.Kind != "main" || e.Multi {
			return false
		}
		found = true
	}
	return found
}

func contains(f *ir.Func, a ir.Instr) bool {
	return slices.ContainsFunc(f.Blocks, func(b *ir.Block) bool { return slices.Contains(b.Instrs, a) })
}

// gainOwn is the condition that the watched base lies in what an allocation makes.
func gainOwn(in *ir.Alloc, g *guard) ir.Expr {
	base, w := asPtr(ir.Use{Reg: in.Dst}), ir.Use{Reg: g.frame.watch}
	return ir.Binary{Op: "land", X: ir.Binary{Op: "le", X: base, Y: w}, Y: ir.Binary{Op: "lt", X: w, Y: in.End(base)}}
}

// handedOver is the pointer whose token a spawn hands over; nil where the thread does not
// start with one.
func (x *instrumenter) handedOver(in *ir.Spawn, fn *guard) ir.Expr {
	if e := fn.theory.(*own).element; e != nil {
		if fa, ok := in.Fn.(ir.FuncAddr); ok && fa.Func != e.entry.Func {
			return nil
		}
		if at := e.address(in.Args); at != nil {
			return at
		}
		return ir.Use{Reg: fn.frame.watch} // whatever it is
	}
	if arg := x.ownArgument(in); arg != nil {
		return offsetFrom(arg, -x.l.into[ir.FuncOf(in.Fn)])
	}
	return nil
}

// ownArgument is the pointer that a spawn gives to a thread which takes its argument for
// an object of its own; nil where the thread does not.
func (x *instrumenter) ownArgument(in *ir.Spawn) ir.Expr {
	if fa, ok := in.Fn.(ir.FuncAddr); ok && x.l.numberOnly[fa.Func] {
		return nil
	}
	if len(in.Args) == 0 {
		return nil
	}
	switch in.Args[0].Type().(type) {
	case ir.Ptr, ir.Int: // an integer that the thread takes for a pointer
		return asPtr(in.Args[0])
	}
	return nil
}

// orderCandidates guesses, for the loop heads of a body, that the tokens of the elements
// from the next one on are still there: held, or the watched base lies below &a[i], for
// each spawn that hands over &a[i].
func (x *instrumenter) orderCandidates(f *ir.Func, res *resolver) []ir.Expr {
	var out []ir.Expr
	seen := map[string]bool{}
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			sp, ok := in.(*ir.Spawn)
			if !ok || len(sp.Args) == 0 || !ir.IsPtr(sp.Args[0].Type()) {
				continue
			}
			e := asPtr(sp.Args[0])
			for e != nil {
				e = res.expand(e, b, i)
				if c, ok := e.(ir.Cast); ok {
					e = c.X
					continue
				}
				break
			}
			if at, ok := e.(ir.IndexAddr); ok && !seen[ir.ExprString(at)] {
				seen[ir.ExprString(at)] = true
				for _, fn := range x.active {
					if o, ok := theoryOf[*own](fn); ok && o.element == nil && x.handedOver(sp, fn) != nil {
						below := ir.Binary{Op: "lt", X: ir.Use{Reg: fn.frame.watch}, Y: asPtr(at)}
						out = append(out, ir.Binary{Op: "lor", X: ir.Use{Reg: fn.Held[0]}, Y: below})
					}
				}
			}
		}
	}
	return out
}

// loopCandidates are the guesses for one loop head: locks held, and elements not yet
// handed over.
func (x *instrumenter) loopCandidates(order []ir.Expr, may lockSet) []vcgen.Candidate {
	cs := x.heldCandidates(nil, x.active, may)
	for _, e := range order {
		cs = append(cs, vcgen.Candidate{ID: x.guess(nil), Cond: e})
	}
	return cs
}
