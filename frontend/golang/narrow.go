package golang

import (
	"go/types"
	"slices"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// What comes from outside in an interface may be any value that the code out there knows,
// but its dynamic type has the methods of the interface: a net.Conn is none of the
// program's writers, whoever made it. So such a value gets a box of its own, into which
// only what has such a type is taken over. That the order of things does not matter to
// the points-to analysis, and that it does not look at the numbers of types, makes the
// difference: methods that are called on the value later, also through other interfaces,
// find nothing else in there. Boxes are never changed, and not compared.

// maxNarrow is how many dynamic types with pointers are told apart so. Precision only.
const maxNarrow = 12

// narrower is the function that makes such a box, for one interface type.
type narrower struct {
	iface types.Type
	f     *ir.Func
	done  int // how many dynamic types it knows
}

// narrowed is a value of an interface type that comes from outside.
func (x *fn) narrowed(t types.Type, v irgen.Value) irgen.Value {
	it, ok := t.Underlying().(*types.Interface)
	if !ok || x.Exact || form.IsParam(t) || it.NumMethods() == 0 {
		return v
	}
	n := x.narrowerOf(t)
	r := x.Temp(ir.VPtr)
	x.Emit(&ir.Call{Base: x.Base(), Dst: r, Callee: ir.FuncAddr{Func: n.f}, Args: []ir.Expr{v[0], irgen.Typed(v[1], ir.VPtr)}})
	return irgen.Value{v[0], ir.Use{Reg: r}}
}

// narrowedAll does that for the arguments of a call.
func (x *fn) narrowedAll(ts []types.Type, args irgen.Value) irgen.Value {
	var out irgen.Value
	for _, t := range ts {
		n := len(x.lay.Of(t).Leaves)
		v := args[:n]
		if form.HasMethods(t) && n == 2 {
			v = x.narrowed(t, v)
		}
		out, args = append(out, v...), args[n:]
	}
	return append(out, args...)
}

func (l *lowering) narrowerOf(t types.Type) *narrower {
	k := form.Key(t.Underlying())
	if n := l.narrowers[k]; n != nil {
		return n
	}
	f := &ir.Func{Name: l.Unique("in " + l.TypeName(t)), Result: ir.VPtr, Params: []*ir.Reg{{Name: "$type", Type: ir.U32}, {Name: "$data", Type: ir.VPtr}}}
	l.p.Funcs = append(l.p.Funcs, f)
	n := &narrower{iface: t, f: f, done: -1}
	if l.narrowers == nil {
		l.narrowers = map[string]*narrower{}
	}
	l.narrowers[k] = n
	l.narrow = append(l.narrow, n)
	return n
}

// narrowBodies makes the bodies of the narrowers anew where dynamic types have come up
// since; it reports whether any changed.
func (l *lowering) narrowBodies() bool {
	changed := false
	for i := 0; i < len(l.narrow); i++ {
		if n := l.narrow[i]; n.done != len(l.precise.Dynamic) {
			n.done = len(l.precise.Dynamic)
			l.narrowBody(n)
			changed = true
		}
	}
	return changed
}

func (l *lowering) narrowBody(n *narrower) {
	n.f.Blocks, n.f.Regs = nil, nil
	x := newFn(l, nil, n.f)
	x.Used = map[string]int{"$type": 1, "$data": 1}
	x.Start(x.Block("entry"))
	tag, data := ir.Use{Reg: n.f.Params[0]}, ir.Use{Reg: n.f.Params[1]}
	it := n.iface.Underlying().(*types.Interface)
	var in []types.Type
	ts := l.inInterfaces(it)
	for _, t := range l.askedOfUsers {
		if !slices.ContainsFunc(ts, func(u types.Type) bool { return l.dynamic(t) == l.dynamic(u) }) {
			ts = append(ts, t)
		}
	}
	for _, t := range ts {
		if x.hasPointers(t) && (types.Implements(t, it) || l.MayImplement(t, it)) {
			in = append(in, t)
		}
	}
	if len(in) > maxNarrow {
		x.GiveBack(irgen.Value{data})
		x.Prune()
		return
	}
	box := x.NewBox()
	for _, t := range in {
		x.When(irgen.Bin("eq", tag, l.Tag(t)), func() {
			x.fillBox(box, t, x.Unboxed(t, data))
		})
	}
	x.GiveBack(irgen.Value{ir.Cast{X: box, T: ir.VPtr}})
	x.Prune()
}
