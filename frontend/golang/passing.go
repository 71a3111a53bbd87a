package golang

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Objects that are handed on through channels and pools:
//
//	for j := range jobs { j.out = work(j.in); results <- j }
//	b := buffers.Get().(*buffer); b.fill(); buffers.Put(b)
//
// Who makes an object has it for itself until he sends the address, and then who receives
// it. This is said with a lock at the object's address (ir.GhostOwned): its maker takes
// it, a send (or Put) gives it back, and a receive (or Get) takes it. That a send holds
// the lock is to be proved, for if it does not, two may receive the object: then the
// locks of objects of the type protect nothing.

// passing knows such objects.
type passing struct {
	// types are those of the objects, by their keys: structs of which something is sent
	// or put nowhere but in the program.
	types map[string]bool
	// pools: all that is put into pools is known, and what their functions make is new.
	pools bool
}

func findPassing(l *lowering, fs []*ssa.Function) *passing {
	ps, outside := &passing{types: map[string]bool{}, pools: true}, map[string]bool{}
	plain := &numbers{l: l}
	add := func(t types.Type, put bool) {
		n, ok := types.Unalias(t).(*types.Named)
		if ok && n.Obj().Pkg() != nil && !form.OfParams(n) && plain.plain(t) {
			ps.types[form.Key(t)] = true
			own := l.Own[n.Obj().Pkg()]
			if l.LibraryMode && n.Obj().Exported() && own ||
				!own && (!put || l.LibraryMode && l.Gives(n) || l.partsGoOn(n) || l.boxesFurther(n)) {
				outside[form.Key(t)] = true
			}
		}
	}
	sent := func(ch ssa.Value) {
		if t := handedOn(ch); t != nil {
			add(t, false)
		}
	}
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				ps.pools = ps.pools && !l.hidesPool(in)
				if v, ok := in.(ssa.Value); ok && l.fromOutside(v) {
					outside[form.Key(handedOn(v))] = true
				}
				switch in := in.(type) {
				case *ssa.Send:
					sent(in.Chan)
				case *ssa.Select:
					for _, s := range in.States {
						if s.Dir == types.SendOnly {
							sent(s.Chan)
						}
					}
				case *ssa.MakeInterface: // package reflect may send
					if t := handedOn(in.X); t != nil {
						outside[form.Key(t)] = true
					}
				case ssa.CallInstruction:
					for _, a := range in.Common().Args {
						if t := handedOn(a); t != nil && l.tokens.libraryCall(in) {
							outside[form.Key(t)] = true
						}
					}
					if g := in.Common().StaticCallee(); g != nil && g.Object() != nil && isPut(g.Object()) {
						if t := putType(in); t != nil {
							add(t, true)
						} else {
							ps.pools = false
						}
					}
				}
			}
		}
	}
	for _, f := range fs {
		for _, t := range l.givesAndEnds(f) {
			outside[form.Key(t)] = true
		}
	}
	for k := range outside {
		delete(ps.types, k)
	}
	return ps
}

// boxesFurther reports whether a value of a type, or a pointer to one, is made an interface
// for more than a pool, and library functions that keep nothing.
func (l *lowering) boxesFurther(n *types.Named) bool {
	return slices.ContainsFunc(l.Sources, func(f *ssa.Function) bool {
		return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
				m, ok := in.(*ssa.MakeInterface)
				return ok && form.SameNamed(m.X.Type(), n) && !l.forPool(m)
			})
		})
	})
}

// forPool reports whether a value is made an interface only to be put into a pool, to be
// given to a library function that reads or fills it, or to be returned by a function
// without a name, as is the New of a pool.
func (l *lowering) forPool(m *ssa.MakeInterface) bool {
	for _, u := range form.Uses(m) {
		switch u := u.(type) {
		case *ssa.DebugRef:
		case *ssa.Return:
			if u.Parent().Parent() == nil && u.Parent().Object() != nil {
				return false
			}
		case ssa.CallInstruction:
			g := u.Common().StaticCallee()
			if g == nil || g.Object() == nil {
				return false
			}
			if d := l.Models.Model(g); !isPut(g.Object()) && (d == nil || d.Op != library.OpFill && d.Op != library.OpReads || d.Keeps != "") {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// partsGoOn reports whether what a method returns of a library's object of a type, such as
// the bytes of a buffer, goes further than to be read at once.
func (l *lowering) partsGoOn(n *types.Named) bool {
	return slices.ContainsFunc(l.Sources, func(f *ssa.Function) bool {
		return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
				c, ok := in.(ssa.CallInstruction)
				if !ok || c.Common().StaticCallee() == nil {
					return false
				}
				g := c.Common().StaticCallee()
				r, m := g.Signature.Recv(), l.Models.Model(g)
				if r == nil || !form.SameNamed(r.Type(), n) || m == nil || m.Op != library.OpPart && m.Op != library.OpWithin {
					return false
				}
				v, called := in.(*ssa.Call)
				return !called || l.LibraryMode && !readAtOnce(v) || madeText(v)
			})
		})
	})
}

// madeText reports whether the address of an element is taken for a function of package
// unsafe: what reads a string reads no memory that is compared.
func madeText(v ssa.Value) bool {
	return slices.ContainsFunc(form.Uses(v), func(u ssa.Instruction) bool {
		switch u := u.(type) {
		case *ssa.IndexAddr:
			return !form.OnlyReadAt(u)
		case *ssa.Call:
			b, ok := u.Call.Value.(*ssa.Builtin)
			return ok && b.Name() == "SliceData"
		}
		return false
	})
}

// readAtOnce reports whether a slice is only read where it is made: it is converted, copied
// from, appended to another one, looked into, or written to a stream.
func readAtOnce(v ssa.Value) bool {
	for _, u := range form.Uses(v) {
		switch u := u.(type) {
		case *ssa.DebugRef:
		case *ssa.Convert:
			if !types.Identical(u.Type().Underlying(), types.Typ[types.String]) {
				return false
			}
		case *ssa.Slice:
			if !readAtOnce(u) {
				return false
			}
		case *ssa.IndexAddr:
			if !form.OnlyReadAt(u) {
				return false
			}
		case *ssa.Call:
			b, ok := u.Call.Value.(*ssa.Builtin)
			switch {
			case ok && (b.Name() == "len" || b.Name() == "cap"):
			case ok && (b.Name() == "copy" || b.Name() == "append") && u.Call.Args[0] != v:
			case u.Call.IsInvoke() && u.Call.Method.Name() == "Write":
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}

// fromOutside reports whether a value is a channel of objects that code outside the
// program may have sent to.
func (l *lowering) fromOutside(v ssa.Value) bool {
	if handedOn(v) == nil {
		return false
	}
	switch v := v.(type) {
	case *ssa.Call:
		return l.tokens.libraryCall(v)
	case *ssa.Extract:
		c, ok := v.Tuple.(*ssa.Call)
		return ok && l.tokens.libraryCall(c)
	case *ssa.TypeAssert:
		return true
	case *ssa.Field:
		return !l.ownStruct(v.X.Type())
	case *ssa.UnOp:
		f, ok := v.X.(*ssa.FieldAddr)
		return v.Op == token.ARROW || ok && !l.ownStruct(form.Deref(f.X.Type()))
	}
	return false
}

// ownStruct reports whether a type is a struct of the program, or has no name.
func (l *lowering) ownStruct(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return !ok || l.Own[n.Obj().Pkg()]
}

// hidesPool reports whether an instruction makes it possible to put into a pool, or to
// change its function, in a way that is not looked for: by a copy or an interface, by the
// address of the function, as a value of another type.
func (l *lowering) hidesPool(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.MakeClosure:
		g := in.Fn.(*ssa.Function)
		return g.Object() != nil && isPut(g.Object())
	case *ssa.MakeInterface:
		m := l.Prog.MethodSets.MethodSet(in.X.Type()).Lookup(nil, "Put")
		return m != nil && isPut(m.Obj()) || hasPool(form.Deref(in.X.Type()), 0)
	case *ssa.ChangeType:
		return hasPool(form.Deref(in.Type()), 0) || hasPool(form.Deref(in.X.Type()), 0)
	case *ssa.Convert:
		return hasPool(form.Deref(in.Type()), 0) || hasPool(form.Deref(in.X.Type()), 0)
	case *ssa.UnOp:
		return in.Op == token.MUL && hasPool(in.Type(), 0) && !isLiteral(in)
	case *ssa.FieldAddr:
		if !isNew(in) {
			return false
		}
		for _, u := range form.Uses(in) {
			switch u := u.(type) {
			case *ssa.UnOp:
			case *ssa.Store:
				if u.Addr != ssa.Value(in) || !makesNew(u.Val) {
					return true
				}
			default:
				return true
			}
		}
	}
	return false
}

// isLiteral reports whether a value is read from a composite literal, once, to be stored.
func isLiteral(v *ssa.UnOp) bool {
	a, ok := v.X.(*ssa.Alloc)
	if !ok || a.Comment != "complit" || len(form.Uses(v)) != 1 {
		return false
	}
	if _, stored := form.Uses(v)[0].(*ssa.Store); !stored {
		return false
	}
	for _, u := range form.Uses(a) {
		switch u := u.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr:
		case *ssa.UnOp:
			if u != v {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// hasPool reports whether a type is a pool, or a struct or array with one in it.
func hasPool(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if f.Pkg() != nil && f.Pkg().Path() == "sync" && f.Name() == "New" || depth < 8 && hasPool(f.Type(), depth+1) {
				return true
			}
		}
	case *types.Array:
		return hasPool(u.Elem(), depth)
	}
	return false
}

// givesAndEnds are the types of objects that a function gives away before it may panic,
// or end its goroutine: what the deferred functions of its callers do then is not
// followed from there.
func (l *lowering) givesAndEnds(f *ssa.Function) []types.Type {
	var out []types.Type
	ends := func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Panic:
			// not what follows a select statement of which no case was taken
			return in.Pos().IsValid()
		case *ssa.Call:
			if g := in.Call.StaticCallee(); g != nil {
				if m := l.Models.Model(g); m != nil && (m.Op == library.OpExit || m.Op == library.OpAbort || m.Op == library.OpPanic) {
					return m.Op != library.OpAbort
				}
			}
			return l.raises(l.raising, in) || l.mayExit(in)
		}
		return false
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			var ts []types.Type
			switch in := in.(type) {
			case *ssa.Send:
				ts = append(ts, handedOn(in.Chan))
			case *ssa.Select:
				for _, s := range in.States {
					if s.Dir == types.SendOnly {
						ts = append(ts, handedOn(s.Chan))
					}
				}
			case *ssa.Call:
				if g := in.Call.StaticCallee(); g != nil && g.Object() != nil && isPut(g.Object()) {
					ts = append(ts, putType(in))
				}
			}
			ts = slices.DeleteFunc(ts, func(t types.Type) bool { return t == nil })
			if len(ts) > 0 && form.Reaches(in, func(i ssa.Instruction) (stop, found bool) { return false, ends(i) }) {
				out = append(out, ts...)
			}
		}
	}
	return out
}

// mayExit reports whether a call may end the goroutine: one of a function that calls
// runtime.Goexit or the like, or of one that is not known.
func (l *lowering) mayExit(c *ssa.Call) bool {
	g := form.CalleeOf(c)
	return g != nil && l.exits()[g]
}

// exits are the functions that may end their goroutine.
func (l *lowering) exits() map[*ssa.Function]bool {
	if l.exiting != nil {
		return l.exiting
	}
	l.exiting = map[*ssa.Function]bool{}
	for again := true; again; {
		again = false
		for f := range l.once.Sites {
			if l.exiting[f] {
				continue
			}
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					c, ok := in.(*ssa.Call)
					if !ok {
						continue
					}
					g := form.CalleeOf(c)
					if g == nil {
						continue
					}
					m := l.Models.Model(g)
					if m != nil && m.Op == library.OpExit || l.exiting[g] {
						l.exiting[f], again = true, true
					}
				}
			}
		}
	}
	return l.exiting
}

func isPut(f types.Object) bool {
	fn, ok := f.(*types.Func)
	return ok && fn.FullName() == "(*sync.Pool).Put"
}

// putType is the struct whose address a call puts into a pool; nil where that is not
// known, or known too late.
func putType(c ssa.CallInstruction) types.Type {
	if _, now := c.(*ssa.Call); !now {
		if d, ok := c.(*ssa.Defer); !ok || form.OnCycle(d.Block()) {
			return nil
		}
	}
	if len(c.Common().Args) < 2 { // a method value, which has the pool
		return nil
	}
	m, ok := c.Common().Args[1].(*ssa.MakeInterface)
	if !ok {
		return nil
	}
	p, ok := m.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	if _, ok := p.Elem().Underlying().(*types.Struct); !ok {
		return nil
	}
	return p.Elem()
}

// isNew reports whether an address is that of the member New of a pool.
func isNew(v ssa.Value) bool {
	f, ok := v.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	st, ok := form.Deref(f.X.Type()).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	m := st.Field(f.Field)
	return m.Pkg() != nil && m.Pkg().Path() == "sync" && m.Name() == "New"
}

// makesNew reports whether all that a function returns is the address of an object that
// it makes.
func makesNew(v ssa.Value) bool {
	f := form.StaticFunc(v)
	if f == nil {
		return false
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if r, ok := in.(*ssa.Return); ok {
				m, ok := r.Results[0].(*ssa.MakeInterface)
				if !ok {
					return false
				}
				switch x := m.X.(type) {
				case *ssa.Alloc:
					if !x.Heap || !form.OnlyReturned(x, m) {
						return false
					}
				case *ssa.Call: // of a constructor
					g := form.CalleeOf(x)
					if len(form.Uses(x)) != 1 || len(form.Uses(m)) != 1 || !madeByLibrary(x) && (g == nil || !returnsNew(g)) {
						return false
					}
				default:
					return false
				}
			}
		}
	}
	return len(f.Blocks) > 0
}

// returnsNew reports whether all that a function returns is the address of an object that
// it makes, and that goes nowhere else.
func returnsNew(f *ssa.Function) bool {
	found := false
	for _, b := range f.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if len(r.Results) != 1 || b == f.Recover {
			return false
		}
		a, ok := r.Results[0].(*ssa.Alloc)
		if !ok || !a.Heap || form.OnCycle(a.Block()) {
			return false
		}
		for _, u := range form.Uses(a) {
			switch u := u.(type) {
			case *ssa.FieldAddr, *ssa.Return:
			case *ssa.Store:
				if u.Val == ssa.Value(a) {
					return false
				}
			default:
				return false
			}
		}
		found = true
	}
	return found
}

// handedOn is the struct of which a channel hands on the addresses, nil for other values.
func handedOn(ch ssa.Value) types.Type {
	c, ok := ch.Type().Underlying().(*types.Chan)
	if !ok {
		return nil
	}
	p, ok := c.Elem().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	if s, ok := p.Elem().Underlying().(*types.Struct); !ok || s.NumFields() == 0 {
		return nil
	}
	return p.Elem()
}

// made takes the lock of a new object.
func (ps *passing) made(x *fn, v *ssa.Alloc, at ir.Expr) {
	if ps != nil && v.Heap && ps.types[form.Key(form.Deref(v.Type()))] {
		ps.take(x, at)
	}
}

// madeOutside takes the lock of an object that a library has made.
func (ps *passing) madeOutside(x *fn, c *ssa.Call, out irgen.Value) {
	if ps != nil && madeByLibrary(c) && ps.has(form.Deref(c.Type())) {
		ps.take(x, out[0])
	}
}

// madeByLibrary reports whether a call is of a library function that always makes an
// object: a constructor of one of the lockless types.
func madeByLibrary(c *ssa.Call) bool {
	f := c.Call.StaticCallee()
	if f == nil || f.Signature.Recv() != nil || f.Signature.Results().Len() != 1 || !form.IsPointer(c.Type()) {
		return false
	}
	n, ok := types.Unalias(form.Deref(c.Type())).(*types.Named)
	return ok && lockless[n.String()] && f.Pkg != nil && f.Pkg.Pkg == n.Obj().Pkg() &&
		strings.HasPrefix(f.Name(), "New"+n.Obj().Name())
}

// sending gives the lock of an object back that is sent.
func (ps *passing) sending(x *fn, ch ssa.Value, v irgen.Value) {
	if ps.has(handedOn(ch)) {
		ps.give(x, v[0])
	}
}

func (ps *passing) give(x *fn, at ir.Expr) {
	if _, null := at.(ir.Null); null {
		return
	}
	x.When(irgen.Not(irgen.IsNil(at)), func() {
		x.Emit(&ir.Unlock{Base: x.Base(), Lock: firstMember(at), Mode: ir.Exclusive, Class: ir.GhostOwned})
	})
}

// received takes the lock of an object that was received.
func (ps *passing) received(x *fn, ch ssa.Value, v irgen.Value) {
	if ps.has(handedOn(ch)) {
		ps.take(x, v[0])
	}
}

func (ps *passing) take(x *fn, at ir.Expr) {
	x.Emit(&ir.Lock{Base: x.Base(), Lock: firstMember(at), Mode: ir.Exclusive, Class: ir.GhostOwned})
}

// firstMember is the address of an object as that of its first member, which says what
// the object is.
func firstMember(at ir.Expr) ir.Expr {
	p, ok := at.Type().(ir.Ptr)
	if !ok {
		return at
	}
	if s, ok := p.Elem.(*ir.Struct); ok && len(s.Fields) > 0 {
		return ir.FieldAddr{Base: at, S: s, Index: 0}
	}
	return at
}

// putting gives the lock of an object back that is put into a pool.
func (ps *passing) putting(x *fn) {
	c, ok := x.Site.(ssa.CallInstruction)
	if !ok || ps == nil || !ps.pools || c.Common().StaticCallee() == nil || !isPut(c.Common().StaticCallee().Object()) {
		return
	}
	if t := putType(c); ps.has(t) {
		ps.give(x, x.One(c.Common().Args[1].(*ssa.MakeInterface).X))
	}
}

// gotten takes the lock of an object that comes from a pool: of what Get returns the type
// is looked at right there, and nothing else is done with it.
func (ps *passing) gotten(x *fn, v *ssa.TypeAssert, got irgen.Value) {
	c, ok := v.X.(*ssa.Call)
	if !ok || ps == nil || !ps.pools || c.Block() != v.Block() || len(form.Uses(c)) != 1 {
		return
	}
	f := c.Call.StaticCallee()
	if f == nil || f.Object() == nil || f.Object().(*types.Func).FullName() != "(*sync.Pool).Get" {
		return
	}
	at := slices.Index(c.Block().Instrs, ssa.Instruction(c))
	for _, in := range c.Block().Instrs[at+1:] {
		if in == ssa.Instruction(v) {
			break
		}
		if _, debug := in.(*ssa.DebugRef); !debug {
			return
		}
	}
	p, ok := v.AssertedType.Underlying().(*types.Pointer)
	if ok && ps.has(p.Elem()) {
		ps.take(x, got[0])
	}
}

func (ps *passing) has(t types.Type) bool { return ps != nil && t != nil && ps.types[form.Key(t)] }
