package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// goMethods starts the methods of an interface value as goroutines.
func (x *fn) goMethods(t types.Type, v value, many bool) {
	it, site := t.Underlying().(*types.Interface), x.site
	for i := range it.NumMethods() {
		d := x.dispatcherOf(t, it.Method(i))
		sig := d.method.Type().(*types.Signature)
		x.many(many, func() {
			x.spawn(site, ir.FuncAddr{Func: d.f}, sig, append(append(value{}, v...), x.outside(sig.Params())...), nil)
		})
	}
}

// goField starts what is in a field of the receiver: http.Server.Handler. Where the program sets no field of such structs, there
// is nothing to start.
func (x *fn) goField(p *prepared, m *funcModel) {
	t := recvType(p)
	st, ok := t.Underlying().(*types.Struct)
	if _, _, special := x.special(types.Unalias(t)); !ok || special {
		return
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if _, isInterface := f.Type().Underlying().(*types.Interface); f.Name() != m.Field || !isInterface {
			continue
		}
		v := x.load(f.Type(), x.member(p.args[0][0], t, i), ir.Plain)
		x.when(not(isNil(v[0])), func() { x.goMethods(f.Type(), v, m.Many) })
	}
}

// goBoxed starts a function that is given as a value of any type: a finalizer.
func (x *fn) goBoxed(p *prepared, m *funcModel) {
	mk, ok := x.argument(p, m.Fn).(*ssa.MakeInterface)
	if !ok {
		if c, ok := x.argument(p, m.Fn).(*ssa.Const); ok && c.Value == nil {
			return
		}
		x.fail("%s with a function that is not known here", x.funcName(p.fn))
	}
	sig, ok := mk.X.Type().Underlying().(*types.Signature)
	if !ok {
		x.fail("%s with a function that is not known here", x.funcName(p.fn))
	}
	self, site := x.one(mk.X), x.site
	x.many(m.Many, func() {
		args := x.outside(sig.Params())
		if sf := staticFunc(mk.X); sf != nil {
			x.spawnFunc(site, sf, args, self)
			return
		}
		x.spawn(site, x.code(self, sig), sig, args, self)
	})
}
