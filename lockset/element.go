package lockset

import (
	"fmt"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// Elements that are handed to threads by an array's address and an index: go worker(i,
// results). The token of an element is the one of an object (own.go), but for what a
// thread starts with and a spawn hands over: that of the element that two of the
// arguments make.

// element is the object that a thread gets with two of its arguments.
type element struct {
	entry         *ir.Entry
	array, number int // parameters
	stride        int64
}

// address is that of the element.
func (e *element) address(args []ir.Expr) ir.Expr {
	if e.array >= len(args) || e.number >= len(args) || !ir.IsPtr(args[e.array].Type()) {
		return nil
	}
	if _, ok := args[e.number].Type().(ir.Int); !ok {
		return nil
	}
	return asPtr(ir.IndexAddr{Base: args[e.array], Idx: args[e.number], Stride: e.stride, T: ir.VPtr})
}

// maxElements bounds the tokens of elements. Precision only.
const maxElements = 16

// elementLocks adds the tokens of elements, for the arrays that threads access which get
// a pointer of that type and a number.
func (l *locks) elementLocks() {
	l.elements = map[*alias.Region][]*guard{}
	n := 0
	for _, e := range l.f.p.Entries {
		if !e.Spawned || e.Func == nil {
			continue
		}
		for j, p := range e.Func.Params {
			pt, ok := p.Type.(ir.Ptr)
			if !ok {
				continue
			}
			for k, q := range e.Func.Params {
				if _, ok := q.Type.(ir.Int); !ok || pt.Elem.Size() <= 0 {
					continue
				}
				for _, r := range l.f.watchedRegions() {
					if !r.Exact || r.Elem != pt.Elem.Size() || n >= maxElements || !l.writes(e, r) {
						continue
					}
					key := fmt.Sprintf("element:%s:%d:%d:%d", e.Name, j, k, r.Group)
					fn := l.fns[key]
					if fn == nil {
						fn = l.token(key, "its own element", l.frame(fmt.Sprintf("x:%d", r.Group)), &own{element: &element{e, j, k, r.Elem}})
						l.own = append(l.own, fn)
						n++
					}
					fn.makers(r)
					l.elements[r] = append(l.elements[r], fn)
				}
			}
		}
	}
}

// elementCandidates guesses, for loop heads, that the elements from the next one on are
// still there, as numberCandidates does: of all arrays, or of one that the body has made,
// whose first and next element after the last are known.
func (x *instrumenter) elementCandidates(f *ir.Func) []ir.Expr {
	out := guesses{}
	for _, sp := range spawnsOf(f) {
		for _, fn := range x.active {
			o, ok := theoryOf[*own](fn)
			if !ok || o.element == nil || o.element.number >= len(sp.Args) || x.handedOver(sp, fn) == nil {
				continue
			}
			outside := x.outside(f, fn, o)
			args := slices.Clone(sp.Args)
			for r, loops := range copiesOf(f, sp.Args[o.element.number]) {
				if !loops {
					continue
				}
				args[o.element.number] = ir.Use{Reg: r}
				at := o.element.address(args)
				if at == nil {
					continue
				}
				for _, op := range []string{"lt", "le", "gt"} {
					done := ir.Binary{Op: "lor", X: ir.Use{Reg: fn.Held[0]}, Y: ir.Binary{Op: op, X: ir.Use{Reg: fn.frame.watch}, Y: at}}
					out.add(done)
					for _, o := range outside {
						out.add(ir.Binary{Op: "lor", X: o, Y: done})
					}
				}
				for _, c := range startsOf(f, r) {
					out.add(ir.Binary{Op: "le", X: c, Y: ir.Use{Reg: r}})
				}
				out.add(notLast(r))
			}
		}
	}
	return out.list()
}

// outside are the conditions that the watched element is not in an array that the body
// makes, for each such array.
func (x *instrumenter) outside(f *ir.Func, fn *guard, o *own) []ir.Expr {
	var out []ir.Expr
	w := ir.Use{Reg: fn.frame.watch}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if a, ok := in.(*ir.Alloc); ok && o.makes(x, a) && a.Count != nil {
				base := asPtr(ir.Use{Reg: a.Dst})
				out = append(out, ir.Binary{Op: "lor", X: ir.Binary{Op: "lt", X: w, Y: base}, Y: ir.Binary{Op: "le", X: a.End(base), Y: w}})
			}
		}
	}
	return out
}

// startsOf are the constants that a register is assigned.
func startsOf(f *ir.Func, r *ir.Reg) []ir.Const {
	var out []ir.Const
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if a, ok := in.(*ir.Assign); ok && a.Dst == r {
				if c, ok := a.X.(ir.Const); ok {
					out = append(out, c)
				}
			}
		}
	}
	return out
}
