package explicit

import (
	"context"
	"fmt"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// Where each element of an array has a lock of its own, states are many: who holds which.
// Then a proof is made for each element: the others hold anything whenever they are read,
// and their locks can always be taken. An assertion that fails then is not one to report
// where the element that its thread has read last is another one: in the executions that
// this stands for, the same element was read last, so that they are found where that is
// the element that is followed. (Which element is read last is a matter of the execution,
// not of what is known of it; it is not known where the index is not, and then the
// assertion counts.)

// An element is that of an array that is followed.
type element struct {
	global *ir.Global
	index  int64
}

// maxElements bounds the elements of an array that are followed one by one.
const maxElements = 40

// stride is the size of an element.
func (e *element) stride() int64 { return e.global.Type.(ir.Array).Elem.Size() }

// forgets reports whether an object is the array of which one element is followed.
func (p *program) forgets(id int32) bool {
	return p.opt.element != nil && id >= 0 && p.globs[p.opt.element.global] == id
}

// forgotten reports whether a place is one of the elements that are not followed.
func (p *program) forgotten(id int32, off int64) bool {
	return p.forgets(id) && off >= 0 && off/p.opt.element.stride() != p.opt.element.index
}

// loads notes that a place is read; it reports whether that is not followed.
func (x *exec) loads(id int32, off int64) bool {
	if !x.p.forgets(id) {
		return false
	}
	if x.l.last = 0; off >= 0 {
		x.l.last = off/x.p.opt.element.stride() + 1
	}
	return x.p.forgotten(id, off)
}

// excused reports whether an assertion that fails is one of those that are found where
// another element is followed.
func (x *exec) excused() bool {
	return x.p.opt.element != nil && x.l.last > 0 && x.l.last != x.p.opt.element.index+1
}

// locked are the arrays of globals whose elements have locks.
func locked(q *ir.Program, al *alias.Result) []*ir.Global {
	var out []*ir.Global
	for _, in := range q.Instrs() {
		if _, ok := in.(*ir.Lock); !ok {
			continue
		}
		rs, _ := al.Target(in)
		for _, r := range rs {
			for _, o := range r.Objects {
				if g := o.Global; g != nil && !slices.Contains(out, g) && elements(g) > 0 {
					out = append(out, g)
				}
			}
		}
	}
	return out
}

// elements is how many elements of an array may be followed one by one, 0 where they
// cannot.
func elements(g *ir.Global) int64 {
	a, ok := g.Type.(ir.Array)
	if !ok || g.ThreadLocal || a.Len < 2 || a.Len > maxElements || a.Elem.Size() <= 0 {
		return 0
	}
	return a.Len
}

// Elements is Check for each element of each array with locks: a proof for all elements
// of one array is one.
func Elements(ctx context.Context, q *ir.Program, opt Options) (*Result, error) {
	al, err := alias.AnalyzeContext(ctx, q, alias.Options{})
	if err != nil {
		return nil, err
	}
	out := &Result{Reason: "there is no array with a lock in each element"}
	for _, g := range locked(q, al) {
		states := 0
		for i := range elements(g) {
			o := opt
			o.element = &element{g, i}
			r, err := Check(ctx, q, o)
			if err != nil {
				return nil, err
			}
			states += r.States
			if r.States, out = states, r; !r.Proved {
				out.Reason, out.Trace = fmt.Sprintf("element %d of %s: %s", i, g.Name, r.Reason), nil
				break
			}
		}
		if out.Proved {
			break
		}
	}
	return out, nil
}

// indices finds the registers by which the array is indexed: all elements are told apart
// there.
func (p *program) indices(in ir.Instr) {
	visit := func(e ir.Expr) bool {
		x, ok := e.(ir.IndexAddr)
		if !ok {
			return true
		}
		base := false
		ir.WalkExpr(x.Base, func(e ir.Expr) bool {
			g, ok := e.(ir.GlobalAddr)
			base = base || ok && g.Global == p.opt.element.global
			return true
		})
		if base {
			ir.Reads(p.finer, []ir.Expr{x.Idx})
		}
		return true
	}
	for _, e := range ir.Operands(in) {
		ir.WalkExpr(e, visit)
	}
}
