package golang

import (
	"go/types"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// Constructors of a library type are run once before its methods: one of them, with
// arbitrary arguments, makes the value that the methods are compared on. So what they
// store in it, and the goroutines they start, are known.

// construct runs one of the constructors of every receiver type.
func (l *lowering) construct(x *fn, roots []world.Root) {
	done := map[*types.Named]bool{}
	for _, r := range roots {
		if r.Kind != world.MethodRoot || len(r.Fn.Params) == 0 {
			continue
		}
		n, ok := types.Unalias(form.Deref(r.Fn.Params[0].Type())).(*types.Named)
		if !ok || done[n.Origin()] || len(l.Ctors[n.Origin()]) == 0 {
			continue
		}
		n = n.Origin()
		done[n] = true
		after := x.Block("constructed")
		var targets []*ir.Block
		for range l.Ctors[n] {
			targets = append(targets, x.Block("constructor"))
		}
		x.Jump(targets...)
		for i, f := range l.Ctors[n] {
			x.Start(targets[i])
			x.Pos = l.Pos(f.Pos())
			made := x.calledByUser(f, x.usersGive(f.Signature.Params()))
			if x.receiver[x.lay.Of(n).Mem] == nil {
				x.handLater(made)
			}
			x.startLater(f, made)
			x.Jump(after)
		}
		x.Start(after)
		x.exported(n)
		l.Report.Assume("constructor", l.Pos(n.Obj().Pos()), "values of %s are made by its constructors (%d found), of which one runs, once; exported fields are set before its methods are called, and functions of users' that a constructor calls let no others use the value before it returns", l.TypeName(n), len(targets))
	}
}

// exported gives the exported fields of a receiver arbitrary values, as a user may.
func (x *fn) exported(n *types.Named) {
	mem := x.lay.Of(n).Mem
	st, ok := n.Underlying().(*types.Struct)
	if !ok || !n.Obj().Exported() {
		return
	}
	x.usersOwn(n, func(p ir.Expr) {
		for i := range st.NumFields() {
			f := st.Field(i)
			if !f.Exported() || f.Embedded() || x.HoldsLock(f.Type(), 0) {
				continue
			}
			v := x.usersGive(f.Type())
			if x.receiver[mem] == nil {
				v = x.fromUser(f.Type())
			}
			x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() {
				x.Store(f.Type(), ir.FieldAddr{Base: p, S: mem.(*ir.Struct), Index: i}, v, ir.Plain)
			})
		}
	})
}
