package golang

import (
	"go/build"
	"go/types"
	"strings"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// A package that is looked at alone (Options.Alone) uses others of which neither the
// source nor a model is there. Their authors see to their own objects: what functions of
// such a package do to values of its types, and to what they have for themselves, is not
// taken for an access. What they do to memory of other types that they are given, is; and
// so is all that the package itself does.

// strange reports whether a package is one of those of which nothing is known: not of the
// program, nor of the standard library.
func (l *lowering) strange(p *types.Package) bool {
	if !l.alone || p == nil || l.Own[p] {
		return false
	}
	is, ok := l.strangers[p]
	if !ok {
		is = !l.standard(p)
		if l.strangers == nil {
			l.strangers = map[*types.Package]bool{}
		}
		l.strangers[p] = is
	}
	return is
}

// standard reports whether a package is of the standard library: its files lie below
// GOROOT. A package that declares nothing counts as one.
func (l *lowering) standard(p *types.Package) bool {
	for _, n := range p.Scope().Names() {
		if o := p.Scope().Lookup(n); o.Pkg() == p && o.Pos().IsValid() {
			file := l.Prog.Fset.Position(o.Pos()).Filename
			root := build.Default.GOROOT
			return strings.HasPrefix(file, "$GOROOT") || root != "" && strings.HasPrefix(file, root)
		}
	}
	return true
}

// ofStranger reports whether a value is one of a strange package's type, or a pointer to
// one.
func (l *lowering) ofStranger(t types.Type) bool {
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	return ok && l.strange(n.Obj().Pkg())
}

// touched lists the pointers among the arguments of a function of which nothing is known
// that it may write. Of a strange one those to its own objects are left out, and the
// slice of variadic arguments, which it reads here.
func (x *fn) touched(p *irgen.Call) irgen.Value {
	if o := p.Fn.Object(); o == nil || !x.strange(o.Pkg()) {
		return x.pointers(p)
	}
	q := *p
	q.Args = append([]irgen.Value{}, p.Args...)
	ts := form.ParamTypes(p.Fn.Signature)
	for i, t := range ts {
		last := p.Fn.Signature.Variadic() && i == len(ts)-1
		switch {
		case i >= len(q.Args):
		case last:
			for _, a := range pointersOf(q.Args[i]) {
				x.Emit(&ir.Touch{Base: x.Base(), Addr: a, Read: true, Deep: true, Typed: true, Why: x.FuncName(p.Fn)})
			}
			q.Args[i] = nil
		case x.ofStranger(t):
			q.Args[i] = nil
		}
	}
	return x.pointers(&q)
}

// hideInside hides what an object of a strange package has, or one of a type that is safe
// for concurrent use and not looked into, from functions that are not seen: what they do
// to it does not race.
func (l *lowering) hideInside(t types.Type, s *ir.Struct) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return
	}
	strange := l.strange(n.Obj().Pkg())
	safe := !l.Exact && len(s.Fields) == 1 && s.Fields[0].Name == "__value" && l.Models.SafeType(n)
	if safe { // whose address is not that of the object: see irgen.Layouts
		s.Fields[0].Offset, s.Bytes = 8, s.Bytes+8
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		f.Hidden, f.Own = f.Hidden || strange || safe, f.Own || safe
	}
}
