package golang

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/world"
)

// narrowError: functions were lowered that reachable does not list, so that what was
// concluded from the others need not hold.
type narrowError struct{ missing []*ssa.Function }

func (e *narrowError) Error() string {
	return fmt.Sprintf("%d functions were lowered that were not expected to be reached", len(e.missing))
}

// alsoReached is what else reachable lists: functions that an earlier lowering called by
// no instruction of the program (String of what is printed), or all.
type alsoReached struct {
	more map[*ssa.Function]bool
	all  bool
}

// reachable lists those of all functions, in their order, that may run: from the roots,
// the packages' initialisation and the functions that may be constructors on, through
// every mention of a function and all methods of what becomes an interface. Code that
// nobody calls says nothing about what parameters hold.
func (l *lowering) reachable(built []*ssa.Package, roots []world.Root) []*ssa.Function {
	all := form.AllFunctions(built)
	if l.reached.all {
		return all
	}
	r := &reach{l: l, seen: map[*ssa.Function]bool{}}
	for _, p := range built {
		r.add(p.Func("init"))
	}
	types := world.ReceiverTypes(roots)
	for _, x := range roots {
		r.add(x.Fn)
	}
	for _, f := range all {
		for _, n := range types {
			if form.ReturnsNew(f, n) {
				r.add(f)
			}
		}
	}
	if l.Bodies != nil {
		r.add(l.Bodies.Pkg.Func("wrap")) // by no instruction
	}
	for _, f := range slices.Concat(l.MakerFuncs(roots), l.Settings) {
		r.add(f)
	}
	for f := range l.reached.more {
		r.add(f)
	}
	for len(r.work) > 0 {
		f := r.work[0]
		r.work = r.work[1:]
		r.mentions(f)
	}
	var out []*ssa.Function
	listed := map[*ssa.Function]bool{}
	for _, f := range all {
		if listed[f] = true; r.seen[f] {
			out = append(out, f)
		}
	}
	for _, x := range roots { // methods that types have from what they embed
		if f := form.Body(x.Fn); !listed[f] {
			listed[f] = true
			out = append(out, f)
		}
	}
	l.precise.Expected = r.seen
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
	if f = form.Body(f); r.seen[f] {
		return
	}
	r.seen[f] = true
	r.work = append(r.work, f)
	if r.l.Bodies.GoesOn(f) {
		r.add(r.l.Bodies.Pkg.Func("endTest"))
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
				ms := r.l.Prog.MethodSets.MethodSet(m.X.Type())
				for i := range ms.Len() {
					r.add(r.l.Method(m.X.Type(), ms.At(i)))
				}
			}
		}
	}
}

// asExpected returns an error where functions were lowered that reachable does not list.
func (l *lowering) asExpected() error {
	if l.precise.Expected == nil {
		return nil
	}
	var missing []*ssa.Function
	for f := range l.funcs {
		if !l.precise.Expected[f] {
			missing = append(missing, f)
		}
	}
	if missing == nil {
		return nil
	}
	return &narrowError{missing}
}
