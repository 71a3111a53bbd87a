package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// What errors.As stores, and errors.AsType returns, is an error of the type that is asked
// for, from among those that an error wraps, in whatever way. For each such type a variable
// stands for all its values that were ever put into an interface.

// foundErrors are the types that errors are looked for of, with these variables.
type foundErrors struct {
	asked typeutil.Map // to *ir.Global
	// any: of types that are not known, which are errors.
	any bool
}

// noteFound notes the type that a call looks for.
func (l *lowering) noteFound(c *ssa.CallCommon) {
	f := c.StaticCallee()
	if f == nil {
		return
	}
	switch library.Name(f) {
	case "errors.AsType":
		if ts := f.TypeArgs(); len(ts) == 1 {
			l.found.asked.Set(ts[0], l.foundOf(ts[0]))
		}
	case "errors.As":
		mk, ok := c.Args[1].(*ssa.MakeInterface)
		if !ok {
			l.found.any = true
			return
		}
		if t := form.Deref(mk.X.Type()); l.keepsFound(t) {
			l.found.asked.Set(t, l.foundOf(t))
		}
	}
}

// keepsFound reports whether the variable for a type is needed: what errors.As stores of
// errors that are pointers is followed otherwise.
func (l *lowering) keepsFound(t types.Type) bool {
	_, pointer := t.Underlying().(*types.Pointer)
	return !pointer && !types.IsInterface(t) &&
		types.Implements(t, form.ErrorType.Underlying().(*types.Interface))
}

// foundOf is the variable for a type, nil where values of the type lead nowhere.
func (l *lowering) foundOf(t types.Type) *ir.Global {
	if g, ok := l.found.asked.At(t).(*ir.Global); ok {
		return g
	}
	if l.Exact || types.IsInterface(t) || !l.hasPointers(t) {
		return nil
	}
	g := l.NewGlobal("errors of type "+l.TypeName(t), l.lay.Of(t).Mem, ir.Pos{})
	l.found.asked.Set(t, g)
	return g
}

// boxedError stores a value that is put into an interface in the variable for its type.
func (x *fn) boxedError(t types.Type, v irgen.Value) {
	g, _ := x.found.asked.At(t).(*ir.Global)
	if g == nil && x.found.any && x.keepsFound(t) {
		g = x.foundOf(t)
	}
	if g != nil {
		x.Store(t, ir.GlobalAddr{Global: g}, v, ir.Relaxed)
	}
}

// storeFound is what errors.As stores at an address that leads to a t.
func (x *fn) storeFound(t types.Type, at ir.Expr) {
	g, _ := x.found.asked.At(t).(*ir.Global)
	if g == nil {
		return
	}
	x.When(irgen.Bin("land", irgen.Not(irgen.IsNil(at)), irgen.Cond(x.havoc(irgen.BoolT))), func() {
		x.Store(t, at, x.Load(t, ir.GlobalAddr{Global: g}, ir.Relaxed), ir.Plain)
	})
}

// storeFoundIn is the same for an address in an interface.
func (x *fn) storeFoundIn(target irgen.Value) {
	done := map[string]bool{}
	for _, b := range x.Boxes {
		p, ok := b.Underlying().(*types.Pointer)
		if !ok || done[form.Key(b)] || !x.keepsFound(p.Elem()) || x.foundOf(p.Elem()) == nil {
			continue
		}
		done[form.Key(b)] = true
		x.When(irgen.Bin("eq", target[0], x.Tag(b)),
			func() { x.storeFound(p.Elem(), x.Unboxed(b, target[1])[0]) })
	}
}

// foundError is the result of errors.AsType, where it is out or an error that was found.
func (x *fn) foundError(p *irgen.Call, t types.Type, out irgen.Value) irgen.Value {
	if g, _ := x.found.asked.At(t).(*ir.Global); g != nil && library.Name(p.Fn) == "errors.AsType" {
		return x.either(t, out, x.Load(t, ir.GlobalAddr{Global: g}, ir.Relaxed))
	}
	return out
}

// askedAs calls the methods As of errors with what they are to store an error in.
func (x *fn) askedAs(err, target irgen.Value) {
	done := map[string]bool{}
	for _, t := range x.Boxes {
		m := x.Prog.MethodSets.MethodSet(t).Lookup(nil, "As")
		if m == nil || done[form.Key(t)] || !types.Implements(t, form.ErrorType.Underlying().(*types.Interface)) {
			continue
		}
		done[form.Key(t)] = true
		f := x.Method(t, m)
		if f == nil || len(f.Blocks) == 0 || f.Signature.Params().Len() != 1 ||
			!types.IsInterface(f.Signature.Params().At(0).Type()) {
			continue
		}
		x.When(irgen.Bin("eq", err[0], x.Tag(t)), func() {
			x.repeat(func() {
				x.CallFunc(f, append(append(irgen.Value{},
					x.receiverFor(f, t, x.Unboxed(t, err[1]))...), target...), nil)
			})
		})
	}
}
