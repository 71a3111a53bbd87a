package golang

import (
	"go/types"
	"slices"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// Library functions ask what they are given in an interface for more than that has:
// io.Copy calls WriteTo of its reader, errors.Is calls Is of an error.

// asked are the methods that functions of the standard library ask values for.
var asked = []string{"WriteTo", "ReadFrom", "WriteString", "WriteByte", "WriteRune", "ReadByte", "UnreadByte", "ReadRune", "UnreadRune", "Seek", "ReadAt", "WriteAt", "Flush", "FlushError",
	"Is", "As", "Unwrap", "Timeout", "Temporary", "ReadDir", "ReadFile", "Stat", "Sub", "Glob", "Hijack", "Push"}

// askedCallbacks calls such methods of the program's values in an interface, and does to
// library objects there what the interface's methods do.
func (x *fn) askedCallbacks(v irgen.Value, u *types.Interface, libraryToo bool) {
	if x.Exact {
		return
	}
	if libraryToo {
		x.changeState(u, v[0], v[1], true)
	}
	done := map[string]bool{}
	for _, t := range x.Boxes {
		n, ok := types.Unalias(form.Deref(t)).(*types.Named)
		if !ok || done[form.Key(t)] || !types.Implements(t, u) {
			continue
		}
		done[form.Key(t)] = true
		if x.Own[n.Obj().Pkg()] {
			x.askMethods(v, t, u)
		} else if libraryToo {
			x.changeBoxed(v, t, u)
		}
	}
}

func (x *fn) askMethods(v irgen.Value, t types.Type, u *types.Interface) {
	var ms []*types.Selection
	set := x.Prog.MethodSets.MethodSet(t)
	for i := range set.Len() {
		m := set.At(i)
		if !slices.Contains(asked, m.Obj().Name()) || form.HasMethod(u, m.Obj().Name()) {
			continue
		}
		if f := x.Method(t, m); f != nil && len(f.Blocks) > 0 {
			ms = append(ms, m)
		}
	}
	if len(ms) == 0 {
		return
	}
	x.When(irgen.Bin("eq", v[0], x.Tag(t)), func() {
		for _, m := range ms {
			f := x.Method(t, m)
			x.repeat(func() {
				x.CallFunc(f, append(append(irgen.Value{}, x.receiverFor(f, t, x.Unboxed(t, v[1]))...), x.outside(f.Signature.Params())...), nil)
			})
		}
	})
}

// changeBoxed is what the methods of an interface do to a library object in it.
func (x *fn) changeBoxed(v irgen.Value, t types.Type, u *types.Interface) {
	read, written := x.BoxedEffect(t, u)
	if !read && !written {
		return
	}
	size := x.lay.Of(form.Deref(t)).Mem.Size()
	if size == 0 {
		return
	}
	x.When(irgen.Bin("eq", v[0], x.Tag(t)), func() {
		x.Emit(&ir.Touch{Base: x.Base(), Addr: firstMember(x.Unboxed(t, v[1])[0]), Size: ir.IntConst(ir.U64, size), Read: true, Write: written, Why: x.TypeName(t)})
	})
}
