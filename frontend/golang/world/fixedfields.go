package world

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// FixedFields are members of struct types that are only written in new objects which
// nobody else knows yet: in an object that came from elsewhere, they never change. So two
// reads of b.workers yield one number, for as long as b is the same.
type FixedFields struct {
	w *World
	// changed are the members that are written elsewhere, or whose address is taken;
	// overwritten the types of which objects are overwritten as a whole.
	changed     map[*types.Var]bool
	overwritten map[*types.Named]bool
	// boxed are the types that code which is not seen may change, by reflection.
	boxed map[*types.Named]bool
}

func FindFixedFields(w *World, fs []*ssa.Function) *FixedFields {
	c := &FixedFields{w: w, changed: map[*types.Var]bool{}, overwritten: map[*types.Named]bool{}, boxed: boxedTypes(fs)}
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.FieldAddr:
					if !form.OnlyReadOrInitial(in) {
						c.changed[Field(in.X.Type(), in.Field)] = true
					}
				case *ssa.Store:
					if !form.Initial(in, in.Addr) {
						c.overwrite(in.Val.Type(), 0)
					}
				case ssa.CallInstruction: // copy and append overwrite elements
					if b, ok := in.Common().Value.(*ssa.Builtin); ok && len(in.Common().Args) > 0 && (b.Name() == "copy" || b.Name() == "append" || b.Name() == "clear") {
						if s, ok := in.Common().Args[0].Type().Underlying().(*types.Slice); ok {
							c.overwrite(s.Elem(), 0)
						}
					}
				case *ssa.Convert, *ssa.ChangeType: // the type may have other names for its members
					c.overwrite(form.Deref(in.(ssa.Value).Type()), 0)
					c.overwrite(form.Deref((*in.Operands(nil)[0]).Type()), 0)
				}
			}
		}
	}
	return c
}

// overwrite notes the types of the objects within a value that is stored.
func (c *FixedFields) overwrite(t types.Type, depth int) {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		c.overwritten[n.Origin()] = true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if depth < 20 {
				c.overwrite(f.Type(), depth+1)
			}
		}
	case *types.Array:
		c.overwrite(u.Elem(), depth+1)
	}
}

// read is the member that a value was read from, if it never changes, and the object.
func (c *FixedFields) read(v ssa.Value) (*types.Var, ssa.Value) {
	u, ok := v.(*ssa.UnOp)
	if !ok || u.Op != token.MUL || c == nil {
		return nil, nil
	}
	at, ok := u.X.(*ssa.FieldAddr)
	if !ok {
		return nil, nil
	}
	n, ok := types.Unalias(form.Deref(at.X.Type())).(*types.Named)
	f := Field(at.X.Type(), at.Field)
	obj := elsewhereMade(at.X)
	if !ok || obj == nil || c.changed[f] || c.overwritten[n.Origin()] || c.boxed[n.Origin()] || c.w.LibraryMode && c.w.UsersSet(at) {
		return nil, nil
	}
	return f, obj
}

// elsewhereMade is the pointer that a value is, if what it points to was made by another
// function: a parameter or a result, perhaps kept in a variable that is set once.
func elsewhereMade(v ssa.Value) ssa.Value {
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		a := form.LocalVariable(u.X)
		if a == nil {
			return nil
		}
		st := form.OnlyStore(a)
		if st == nil {
			return nil
		}
		v = st.Val
	}
	switch v.(type) {
	case *ssa.Parameter, *ssa.Call:
		return v
	}
	return nil
}

// Same reports whether two values were read from one member that never changes.
func (c *FixedFields) Same(a, b ssa.Value) bool {
	f, x := c.read(a)
	g, y := c.read(b)
	return f != nil && f == g && x == y
}

// Bound is the bound of the only loop around b, if it is read from such a member.
func (c *FixedFields) Bound(b *ssa.BasicBlock) ssa.Value {
	n := form.OverInteger(b)
	if n == nil {
		n = form.BelowBound(b)
	}
	if f, _ := c.read(n); f == nil {
		return nil
	}
	return n
}

// UsersSet reports whether users of a library may set a field: they name an exported one
// also where the type is not, but was handed out, or is embedded in one that was.
func (w *World) UsersSet(f *ssa.FieldAddr) bool {
	t := types.Unalias(form.Deref(f.X.Type()))
	if n, ok := t.(*types.Named); ok {
		return fieldOf(n, f.Field).Exported()
	}
	return true
}
