package world

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// errorVars are the variables of type error that lead to nothing that changes: those of
// packages that are not seen (assumption library-variable), and those that the program
// only sets when it is initialised, to what errors.New returned. Half of a package's
// functions return such an error: all that keep one would share it. Users set no such
// variable (assumption one-receiver).
func (w *World) errorVars() map[*ssa.Global]bool {
	set, other := map[*ssa.Global]bool{}, map[*ssa.Global]bool{}
	for _, f := range w.Sources {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					g, ok := (*op).(*ssa.Global)
					if !ok || !types.Identical(form.Deref(g.Type()), types.Universe.Lookup("error").Type()) {
						continue
					}
					load, isLoad := in.(*ssa.UnOp)
					store, isStore := in.(*ssa.Store)
					switch {
					case isLoad && load.Op == token.MUL:
						if g.Pkg != nil && !w.Own[g.Pkg.Pkg] {
							set[g] = true
						}
					case isStore && op == &store.Addr && f.Synthetic != "" && newError(store.Val):
						set[g] = true
					default:
						other[g] = true
					}
				}
			}
		}
	}
	for g := range other {
		delete(set, g)
	}
	return set
}

// newError reports whether a value is what errors.New has just returned.
func newError(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	f := c.Call.StaticCallee()
	return f != nil && library.Name(f) == "errors.New"
}
