package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// An operation on a lock, a WaitGroup or a Once is an atomic access to its memory, and so
// races with a plain access to the whole object: c.once = sync.Once{}, *c = client{}, d
// := *c. The lowering has these accesses where an object of that type, in that place, is
// overwritten or copied somewhere once others may know it; elsewhere they could not race.
// An object that is overwritten orders less, too: a Once runs its function anew, a
// WaitGroup forgets what it has counted.

// place tells objects apart by how they are reached: a member of a struct type, or a
// variable. The zero place is any other.
type place struct {
	of    string
	field int
	v     ssa.Value
}

// overwritten knows which objects of the library's types that order threads are accessed
// as a whole: the places, by type.
type overwritten struct {
	// written are the places that are overwritten, copied those that are read.
	written, copied map[string]map[place]bool
}

func findOverwritten(fs []*ssa.Function) *overwritten {
	o := &overwritten{written: map[string]map[place]bool{}, copied: map[string]map[place]bool{}}
	for _, f := range fs {
		if f.Synthetic == "package initializer" {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				o.scan(in)
			}
		}
	}
	return o
}

// scan notes the objects that an instruction accesses as a whole.
func (o *overwritten) scan(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		if !form.Initial(in, in.Addr) {
			o.note(o.written, in.Val.Type(), placeOf(in.Addr), 0)
		}
	case *ssa.UnOp:
		if _, isPtr := in.X.Type().Underlying().(*types.Pointer); isPtr && !form.Initial(in, in.X) {
			o.note(o.copied, in.Type(), placeOf(in.X), 0)
		}
	case ssa.CallInstruction:
		b, ok := in.Common().Value.(*ssa.Builtin)
		if !ok || len(in.Common().Args) == 0 {
			return
		}
		s, ok := in.Common().Args[0].Type().Underlying().(*types.Slice)
		if !ok {
			return
		}
		switch b.Name() {
		case "append":
			o.note(o.copied, s.Elem(), place{}, 0)
		case "copy", "clear":
			o.note(o.copied, s.Elem(), place{}, 0)
			o.note(o.written, s.Elem(), place{}, 0)
		}
	}
}

// note adds the objects within a value of type t at a place.
func (o *overwritten) note(to map[string]map[place]bool, t types.Type, at place, depth int) {
	if k := orders(t); k != "" {
		if to[k] == nil {
			to[k] = map[place]bool{}
		}
		to[k][at] = true
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if depth < 20 {
				o.note(to, u.Field(i).Type(), place{of: form.StructKey(t), field: i}, depth+1)
			}
		}
	case *types.Array:
		o.note(to, u.Elem(), place{}, depth+1)
	}
}

// orders is the name of a library type that orders threads other than by atomic accesses
// that the lowering has anyway, or "".
func orders(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	switch name := n.Obj().Pkg().Path() + "." + n.Obj().Name(); name {
	case "sync.Mutex", "sync.RWMutex", "sync.Once", "sync.WaitGroup", "golang.org/x/sync/errgroup.Group":
		return name
	}
	return ""
}

// placeOf is the place at an address.
func placeOf(addr ssa.Value) place {
	switch v := addr.(type) {
	case *ssa.FieldAddr:
		return place{of: form.StructKey(form.Deref(v.X.Type())), field: v.Field}
	case *ssa.Global, *ssa.Alloc:
		return place{v: v}
	case *ssa.FreeVar:
		if b := form.Binding(v); b != nil {
			return placeOf(b)
		}
	}
	return place{}
}

// in reports whether an object of type t at a place may be one of the set.
func (o *overwritten) in(set map[string]map[place]bool, t types.Type, at place) bool {
	places := set[orders(t)]
	return places[at] || places[place{}] || at == place{} && len(places) > 0
}

// isWritten reports whether the object at an address may be overwritten; an address that
// is not known is nil.
func (o *overwritten) isWritten(addr ssa.Value, t types.Type) bool {
	return o != nil && o.in(o.written, t, placeOf(addr))
}

// firstArg is the object that an operation is on, or nil where it is not known.
func firstArg(p *irgen.Call) ssa.Value {
	if len(p.CC.Args) == 0 {
		return nil
	}
	return p.CC.Args[0]
}

// access is the atomic access of an operation to a member of the object that it is on, if
// there are plain ones to race with.
func (x *fn) access(p *irgen.Call, i int) {
	o, t := x.overwritten, irgen.RecvType(p)
	if at := placeOf(firstArg(p)); o != nil && (o.in(o.written, t, at) || o.in(o.copied, t, at)) {
		x.Emit(&ir.Store{Base: x.Base(), Addr: x.Member(p.Args[0][0], t, i), Val: x.ZeroLeaf(x.lay.Of(t).Leaves[i]), Order: ir.SeqCst})
	}
}
