package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// What a decoder puts into the variable that it is given the address of (json.Unmarshal):
// the slices, maps and pointers there lead to objects that it has made, or to those that
// were there before. That holds for data: types whose members are exported, without
// interfaces, functions and channels. Others hold whatever code outside of the program
// may know.

// decoded is the type of what a call of a library function fills, where that is data,
// whose type is known where the function is called; nil for other calls.
func (x *fn) decoded(p *irgen.Call) types.Type {
	k := filled(p)
	if x.Exact || k == 0 || k >= len(p.Args) {
		return nil
	}
	mk, ok := x.Argument(p, k).(*ssa.MakeInterface)
	if !ok {
		return nil
	}
	pt, ok := mk.X.Type().Underlying().(*types.Pointer)
	if !ok || !plainData(pt.Elem(), 0) || x.lay.Of(pt.Elem()).Mem.Size() <= 0 {
		return nil
	}
	return pt.Elem()
}

// filled is the parameter of a library function, from 0, the receiver included, that has
// the variable that is filled, as a value of any type: the one that the models say, or
// the only one of a method. 0: there is none.
func filled(p *irgen.Call) int {
	sig, recv := p.Fn.Signature, 0
	if sig.Recv() != nil {
		recv = 1
	}
	k := p.Fills
	if k == 0 && recv == 1 && sig.Params().Len() == 1 {
		k = 1
	}
	if i := k - recv; k == 0 || sig.Variadic() || i < 0 || i >= sig.Params().Len() || !types.IsInterface(sig.Params().At(i).Type()) {
		return 0
	}
	return k
}

// maxData is how deep types may lie in each other.
const maxData = 6

// plainData reports whether all that a value of a type leads to is data.
func plainData(t types.Type, depth int) bool {
	if depth > maxData {
		return false
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Pointer:
		return plainData(u.Elem(), depth+1)
	case *types.Slice:
		return plainData(u.Elem(), depth+1)
	case *types.Array:
		return plainData(u.Elem(), depth+1)
	case *types.Map:
		return plainData(u.Key(), depth+1) && plainData(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); !f.Exported() || !plainData(f.Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// decode stores what a decoder has made.
func (x *fn) decode(p *irgen.Call) {
	t := x.decoded(p)
	if t == nil {
		return
	}
	at := x.One(x.Argument(p, filled(p)).(*ssa.MakeInterface).X)
	x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() {
		x.When(irgen.Not(irgen.IsNil(at)), func() {
			defer func(in, all bool) { x.inObject, x.allNew = in, all }(x.inObject, x.allNew)
			x.inObject, x.allNew = false, true
			x.Store(t, at, x.fromOutside(t, nil), ir.Relaxed)
		})
	})
}
