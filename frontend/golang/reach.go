package golang

import (
	"errors"

	"golang.org/x/tools/go/ssa"
)

// errNarrow: a function was lowered that reachable does not list, so that what was concluded from the others need not hold.
var errNarrow = errors.New("a function was lowered that was not expected to be reached")

// reachable lists those of all functions, in their order, that may run: from the roots, the packages' initialisation and
// the functions that may be constructors on, through every mention of a function and all methods of what becomes an
// interface. Code that nobody calls says nothing about what parameters hold.
func (l *lowering) reachable(built []*ssa.Package, roots []root) []*ssa.Function {
	all := allFunctions(built)
	if l.wide {
		return all
	}
	r := &reach{l: l, seen: map[*ssa.Function]bool{}}
	for _, p := range built {
		r.add(p.Func("init"))
	}
	types := receiverTypes(roots)
	for _, x := range roots {
		r.add(x.fn)
	}
	for _, f := range all {
		for _, n := range types {
			if returnsNew(f, n) {
				r.add(f)
			}
		}
	}
	if l.bodies != nil {
		r.add(l.bodies.pkg.Func("wrap")) // by no instruction
	}
	for _, f := range l.makerFuncs(roots) {
		r.add(f)
	}
	for len(r.work) > 0 {
		f := r.work[0]
		r.work = r.work[1:]
		r.mentions(f)
	}
	var out []*ssa.Function
	for _, f := range all {
		if r.seen[f] {
			out = append(out, f)
		}
	}
	l.expected = r.seen
	return out
}

type reach struct {
	l    *lowering
	seen map[*ssa.Function]bool
	work []*ssa.Function
}

func (r *reach) add(f *ssa.Function) {
	if f == nil {
		return
	}
	if f = body(f); r.seen[f] {
		return
	}
	r.seen[f] = true
	r.work = append(r.work, f)
	if r.l.bodies.goesOn(f) {
		r.add(r.l.bodies.pkg.Func("endTest"))
	}
}

// mentions adds what a function may run or hand on.
func (r *reach) mentions(f *ssa.Function) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, op := range in.Operands(nil) {
				if g, ok := (*op).(*ssa.Function); ok {
					r.add(g)
				}
			}
			if m, ok := in.(*ssa.MakeInterface); ok {
				ms := r.l.prog.MethodSets.MethodSet(m.X.Type())
				for i := range ms.Len() {
					r.add(r.l.method(m.X.Type(), ms.At(i)))
				}
			}
		}
	}
}

// asExpected reports whether only functions were lowered that reachable lists.
func (l *lowering) asExpected() bool {
	for f := range l.funcs {
		if l.expected != nil && !l.expected[f] {
			return false
		}
	}
	return true
}
