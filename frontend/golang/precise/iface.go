package precise

import (
	"go/types"
	"strconv"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// Questions about what is in an interface, and about texts, exactly: each is a function
// that chooses by the dynamic type, as dispatchers do, or by the constant, and whose body
// is made anew where types or constants have come up since.

// question is such a function.
type question struct {
	f    *ir.Func
	done int // how many dynamic types and texts it knows
	body func(x *Fn, params irgen.Value)
}

// ask returns the function that answers a question, about parameters of some types.
func (l *Program) ask(name string, result ir.Type, params []ir.Type, body func(x *Fn, params irgen.Value)) *ir.Func {
	for _, q := range l.questions {
		if q.f.Name == name {
			return q.f
		}
	}
	f := &ir.Func{Name: l.Unique(name), Result: result}
	for i, t := range params {
		f.Params = append(f.Params, &ir.Reg{Name: "p" + strconv.Itoa(i), Type: t})
	}
	l.p.Funcs = append(l.p.Funcs, f)
	l.questions = append(l.questions, &question{f: f, done: -1, body: body})
	return f
}

// Answers makes the bodies of the questions anew where something has come up since; it
// reports whether any changed.
func (l *Program) Answers() bool {
	changed := false
	for i := 0; i < len(l.questions); i++ {
		q := l.questions[i]
		n := len(l.Dynamic) + len(l.Texts)
		if q.done == n {
			continue
		}
		q.done, changed = n, true
		q.f.Blocks, q.f.Regs = nil, nil
		x := l.newFn(q.f)
		var params irgen.Value
		for _, p := range q.f.Params {
			x.Used[p.Name] = 1
			params = append(params, ir.Use{Reg: p})
		}
		x.Start(x.Block("entry"))
		q.body(x, params)
		x.Prune()
	}
	return changed
}

// answer calls a question.
func (x *Fn) answer(f *ir.Func, args irgen.Value) ir.Expr {
	r := x.Temp(f.Result)
	x.Emit(&ir.Call{Base: x.Base(), Dst: r, Callee: ir.FuncAddr{Func: f}, Args: args})
	return ir.Use{Reg: r}
}

// given ends a question where a condition holds, with the answer that is made there; a
// nil one ends it nowhere.
func (x *Fn) given(c ir.Expr, answer func() ir.Expr) {
	is, els := x.Block("is"), x.Block("else")
	x.Branch(c, is, els)
	x.Start(is)
	if a := answer(); a != nil {
		x.GiveBack(irgen.Value{irgen.Truth(a)})
	} else {
		x.Stop("unreachable")
	}
	x.Start(els)
}

// sameInterfaces is whether two interface values are equal: Go compares what is in them,
// and panics where that cannot be compared.
func (x *Fn) sameInterfaces(a, b irgen.Value) ir.Expr {
	f := x.ask("interface ==", irgen.BoolT, []ir.Type{ir.U32, ir.VPtr, ir.U32, ir.VPtr}, func(x *Fn, p irgen.Value) {
		x.given(irgen.Bin("ne", p[0], p[2]), func() ir.Expr { return ir.BoolConst(false) })
		x.given(irgen.IsNil(p[0]), func() ir.Expr { return ir.BoolConst(true) })
		x.given(irgen.Bin("eq", p[0], x.Tag(irgen.Foreign)), func() ir.Expr { return irgen.Bin("eq", p[1], p[3]) })
		for i := 0; i < len(x.Dynamic); i++ {
			t := x.Dynamic[i]
			x.given(irgen.Bin("eq", p[0], x.Tag(t)), func() ir.Expr {
				if !types.Comparable(t) {
					x.PanicUnless(ir.BoolConst(false), "comparing values of a type that cannot be compared")
					return nil
				}
				return x.EqualExact(t, x.Unboxed(t, p[1]), x.Unboxed(t, p[3]), t)
			})
		}
		x.Cut("whether the contents of two interfaces are equal")
		x.Stop("unreachable")
	})
	return irgen.Cond(x.answer(f, irgen.Value{a[0], irgen.Typed(a[1], ir.VPtr), b[0], irgen.Typed(b[1], ir.VPtr)}))
}

// Implements is whether an interface value is one of another interface type.
func (x *Fn) Implements(v irgen.Value, t types.Type) ir.Expr {
	f := x.ask("implements "+x.TypeName(t), irgen.BoolT, []ir.Type{ir.U32}, func(x *Fn, p irgen.Value) {
		it := t.Underlying().(*types.Interface)
		x.given(irgen.IsNil(p[0]), func() ir.Expr { return ir.BoolConst(false) })
		for i := 0; i < len(x.Dynamic); i++ {
			d := x.Dynamic[i]
			x.given(irgen.Bin("eq", p[0], x.Tag(d)), func() ir.Expr {
				if form.Generic(d) {
					x.Cut("whether a generic type implements an interface")
				}
				return ir.BoolConst(types.Implements(d, it))
			})
		}
		yes, known := foreignError(it)
		if !known {
			x.Cut("whether a value of a type that is not known implements an interface")
		}
		x.GiveBack(irgen.Value{irgen.BoolConst(yes)})
	})
	return irgen.Cond(x.answer(f, irgen.Value{v[0]}))
}

// AssignedError stores an error in what an interface value points to, where that can hold
// it, and reports whether it does: what errors.As asks of each error.
func (x *Fn) AssignedError(err, target irgen.Value) ir.Expr {
	f := x.ask("errors.As stores", irgen.BoolT, []ir.Type{ir.U32, ir.VPtr, ir.U32, ir.VPtr}, func(x *Fn, p irgen.Value) {
		for i := 0; i < len(x.Dynamic); i++ {
			t, ok := types.Unalias(x.Dynamic[i]).(*types.Pointer)
			if !ok {
				continue
			}
			x.given(irgen.Bin("eq", p[2], x.Tag(t)), func() ir.Expr {
				elem, at := t.Elem(), x.Unboxed(t, p[3])[0]
				var holds ir.Expr
				if types.IsInterface(elem) {
					holds = x.Hold(irgen.Truth(x.Implements(p[:2], elem)))
				} else {
					holds = x.Hold(irgen.Truth(irgen.Bin("eq", p[0], x.Tag(elem))))
				}
				x.When(irgen.Cond(holds), func() {
					v := p[:2]
					if !types.IsInterface(elem) {
						v = x.Unboxed(elem, p[1])
					}
					x.nonNilExpr(at)
					x.Store(elem, at, v, ir.Plain)
				})
				return irgen.Cond(holds)
			})
		}
		x.Cut("what errors.As stores an error in")
		x.Stop("unreachable")
	})
	return x.answer(f, irgen.Value{err[0], irgen.Typed(err[1], ir.VPtr), target[0], irgen.Typed(target[1], ir.VPtr)})
}

// foreignError says whether values of types that the program does not know implement an
// interface: those are the errors of errors.New and of library variables, which have the
// method Error, and none by which other errors are found in them.
func foreignError(it *types.Interface) (yes, known bool) {
	yes = true
	for i := range it.NumMethods() {
		switch it.Method(i).Name() {
		case "Error":
		case "Is", "As", "Unwrap":
			return false, true
		default:
			return false, false
		}
	}
	return yes, true
}
