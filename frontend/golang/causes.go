package golang

import (
	"go/types"
	"strings"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// The error that a context's cancel function is given, or that its deadline has, is what
// context.Cause returns: any of them, here.

// causeAt is where such errors are.
func (x *fn) causeAt() ir.Expr {
	if x.cause == nil {
		x.cause = x.NewGlobal("causes of contexts", x.lay.Of(library.AnyType).Mem, ir.Pos{})
	}
	return ir.GlobalAddr{Global: x.cause}
}

// keepCause keeps the cause that a function of package context is given.
func (x *fn) keepCause(p *irgen.Call) {
	if x.Exact || !strings.HasPrefix(library.Name(p.Fn), "context.With") {
		return
	}
	if x.ownContexts() {
		x.p.Assume("callback", x.Pos, "%s calls Done and Err of contexts of the program's types in its caller, before it returns", x.FuncName(p.Fn))
	}
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if types.Identical(t, form.ErrorType) && i < len(p.Args) {
			x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.Store(form.ErrorType, x.causeAt(), p.Args[i], ir.Relaxed) })
		}
	}
}

// knownCause makes the results of a function of package context know of causes: cancel
// functions keep what they are given, Cause returns it.
func (x *fn) knownCause(p *irgen.Call, out irgen.Value) irgen.Value {
	if x.Exact {
		return out
	}
	switch library.Name(p.Fn) {
	case "context.Cause":
		return x.either(form.ErrorType, out, x.Load(form.ErrorType, x.causeAt(), ir.Relaxed))
	case "context.WithCancelCause":
		sig := p.Fn.Signature.Results().At(1).Type().Underlying().(*types.Signature)
		s := x.objectOf("cancel function", types.NewTuple())
		r := x.Reg("&cancel", ir.Ptr{Elem: s})
		x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: s, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
		y, params, _ := x.libraryCode("cancel function", sig, s)
		y.Store(form.ErrorType, y.causeAt(), params, ir.Relaxed)
		y.GiveBack(nil)
		y.Prune()
		x.setCode(ir.Use{Reg: r}, s, sig, y.F)
		out[len(out)-1] = ir.Cast{X: ir.Use{Reg: r}, T: irgen.FuncT}
	}
	return out
}

// ownContexts reports whether a type of the program has methods of its own by which
// package context watches a context: from a goroutine.
func (l *lowering) ownContexts() bool {
	for _, t := range l.Boxes {
		n, ok := types.Unalias(form.Deref(t)).(*types.Named)
		if !ok || !l.Own[n.Obj().Pkg()] {
			continue
		}
		ms := l.Prog.MethodSets.MethodSet(t)
		if ms.Lookup(nil, "Deadline") == nil {
			continue
		}
		for _, name := range []string{"Done", "Err"} {
			if m := ms.Lookup(nil, name); m != nil && len(m.Index()) == 1 {
				return true
			}
		}
	}
	return false
}
