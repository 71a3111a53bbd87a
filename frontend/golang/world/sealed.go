package world

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Nobody outside a package can implement an interface with a method that is not exported,
// but for who embeds a type that has it. Where no type that others can name has it, and no
// type assertion of the program asks a value for it, the types behind the interface are
// those that the program itself puts there: a call of its methods is of one of theirs.

// Sealed reports whether an interface is of that kind.
func (w *World) Sealed(it *types.Interface) bool {
	for m := range it.Methods() {
		if m.Exported() || m.Pkg() == nil || !w.Own[m.Pkg()] {
			continue
		}
		closed, known := w.sealing[m.Id()]
		if !known {
			closed = !w.nameable(m) && !w.askedFor(m)
			w.sealing[m.Id()] = closed
		}
		if closed {
			return true
		}
	}
	return false
}

// nameable reports whether there is a type with a method that other packages can name.
func (w *World) nameable(m *types.Func) bool {
	has := func(t types.Type) bool {
		return w.Prog.MethodSets.MethodSet(t).Lookup(m.Pkg(), m.Name()) != nil
	}
	for p := range w.Own {
		for _, name := range p.Scope().Names() {
			t, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || !t.Exported() && p == m.Pkg() {
				continue
			}
			if has(t.Type()) || !types.IsInterface(t.Type()) && has(types.NewPointer(t.Type())) {
				return true
			}
		}
	}
	return false
}

// askedFor reports whether a type assertion asks for an interface with a method.
func (w *World) askedFor(m *types.Func) bool {
	for _, f := range w.Sources {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				a, ok := in.(*ssa.TypeAssert)
				if ok && types.IsInterface(a.AssertedType) &&
					w.Prog.MethodSets.MethodSet(a.AssertedType).Lookup(m.Pkg(), m.Name()) != nil {
					return true
				}
			}
		}
	}
	return false
}
