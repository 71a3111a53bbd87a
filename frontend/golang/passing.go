package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// Objects that are handed on through channels and pools:
//
//	for j := range jobs { j.out = work(j.in); results <- j }
//	b := buffers.Get().(*buffer); b.fill(); buffers.Put(b)
//
// Who makes an object has it for itself until he sends the address, and then who receives it. This is said with a lock at the object's address (ir.ClassOwned): its maker takes it, a send
// (or Put) gives it back, and a receive (or Get) takes it. That a send holds the lock is to be proved, for if it does not, two may receive the object: then the locks of objects of the type
// protect nothing.

// passing knows such objects.
type passing struct {
	// types are those of the objects, by their keys: structs of which something is sent or put nowhere but in the program.
	types map[string]bool
	// pools: all that is put into pools is known, and what their functions make is new.
	pools bool
}

func findPassing(l *lowering, fs []*ssa.Function) *passing {
	ps, outside := &passing{types: map[string]bool{}, pools: true}, map[string]bool{}
	plain := &numbers{l: l}
	add := func(t types.Type) {
		n, ok := types.Unalias(t).(*types.Named)
		if ok && n.Obj().Pkg() != nil && plain.plain(t) && !(l.libraryMode && n.Obj().Exported() && l.own[n.Obj().Pkg()]) {
			ps.types[key(t)] = true
		}
	}
	sent := func(ch ssa.Value) {
		if t := handedOn(ch); t != nil {
			add(t)
		}
	}
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
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
						outside[key(t)] = true
					}
				case *ssa.MakeClosure:
					if g := in.Fn.(*ssa.Function); g.Object() != nil && isPut(g.Object()) {
						ps.pools = false
					}
				case *ssa.Store:
					if isNew(in.Addr) && !makesNew(in.Val) {
						ps.pools = false
					}
				case ssa.CallInstruction:
					for _, a := range in.Common().Args {
						if t := handedOn(a); t != nil && l.tokens.libraryCall(in) {
							outside[key(t)] = true
						}
					}
					if g := in.Common().StaticCallee(); g != nil && g.Object() != nil && isPut(g.Object()) {
						if t := putType(in); t != nil {
							add(t)
						} else {
							ps.pools = false
						}
					}
				}
			}
		}
	}
	for k := range outside {
		delete(ps.types, k)
	}
	return ps
}

func isPut(f types.Object) bool {
	fn, ok := f.(*types.Func)
	return ok && fn.FullName() == "(*sync.Pool).Put"
}

// putType is the struct whose address a call puts into a pool; nil where that is not known, or known too late.
func putType(c ssa.CallInstruction) types.Type {
	if _, now := c.(*ssa.Call); !now {
		if d, ok := c.(*ssa.Defer); !ok || onCycle(d.Block()) {
			return nil
		}
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
	n, ok := types.Unalias(deref(f.X.Type())).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" && n.Obj().Name() == "Pool" && n.Underlying().(*types.Struct).Field(f.Field).Name() == "New"
}

// makesNew reports whether all that a function returns is the address of an object that it makes.
func makesNew(v ssa.Value) bool {
	f := staticFunc(v)
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
				if a, ok := m.X.(*ssa.Alloc); !ok || !a.Heap || !onlyReturned(a, m) {
					return false
				}
			}
		}
	}
	return len(f.Blocks) > 0
}

// onlyReturned reports whether the address of an object goes nowhere but into the value that is returned.
func onlyReturned(a *ssa.Alloc, m *ssa.MakeInterface) bool {
	for _, u := range uses(a) {
		switch u := u.(type) {
		case *ssa.FieldAddr:
		case *ssa.Store:
			if u.Val == ssa.Value(a) {
				return false
			}
		case *ssa.MakeInterface:
			if u != m || len(uses(m)) != 1 {
				return false
			}
		default:
			return false
		}
	}
	return true
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
	if ps != nil && v.Heap && ps.types[key(deref(v.Type()))] {
		ps.take(x, at)
	}
}

// sending gives the lock of an object back that is sent.
func (ps *passing) sending(x *fn, ch ssa.Value, v value) {
	if ps.has(handedOn(ch)) {
		ps.give(x, v[0])
	}
}

func (ps *passing) give(x *fn, at ir.Expr) {
	if _, null := at.(ir.Null); null {
		return
	}
	x.when(not(isNil(at)), func() {
		x.emit(&ir.Unlock{Base: x.base(), Lock: firstMember(at), Mode: ir.Exclusive, Class: ir.ClassOwned})
	})
}

// received takes the lock of an object that was received.
func (ps *passing) received(x *fn, ch ssa.Value, v value) {
	if ps.has(handedOn(ch)) {
		ps.take(x, v[0])
	}
}

func (ps *passing) take(x *fn, at ir.Expr) {
	x.emit(&ir.Lock{Base: x.base(), Lock: firstMember(at), Mode: ir.Exclusive, Class: ir.ClassOwned})
}

// firstMember is the address of an object as that of its first member, which says what the object is.
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
	c, ok := x.site.(ssa.CallInstruction)
	if !ok || ps == nil || !ps.pools || c.Common().StaticCallee() == nil || !isPut(c.Common().StaticCallee().Object()) {
		return
	}
	if t := putType(c); ps.has(t) {
		ps.give(x, x.one(c.Common().Args[1].(*ssa.MakeInterface).X))
	}
}

// gotten takes the lock of an object that comes from a pool: of what Get returns the type is looked at right there, and nothing else is done with it.
func (ps *passing) gotten(x *fn, v *ssa.TypeAssert, got value) {
	c, ok := v.X.(*ssa.Call)
	if !ok || ps == nil || !ps.pools || c.Block() != v.Block() || len(uses(c)) != 1 {
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

func (ps *passing) has(t types.Type) bool { return ps != nil && t != nil && ps.types[key(t)] }
