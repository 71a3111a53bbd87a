package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// A function that the Once of an object runs, and that starts a goroutine which is given
// the object: x.once.Do(func() { x.ch = …; go x.run() }). What it does before the go
// statement comes before all that the goroutine does, whoever calls Do, since it runs once
// for each object. So the Once has a token: the function takes it when it begins, and the
// go statement, which is executed once then, gives it to the goroutine for ever. Nobody
// takes it again, as the function does not run again for this object, if nothing
// overwrites the Once. Who runs the function and starts nothing keeps the token.

// onceStart is such a goroutine.
type onceStart struct {
	t ssa.Value // the address of the Once, where Do is called
	// path are the members from the object to the Once, the outermost first.
	path []*ssa.FieldAddr
}

// maxOnceDepth bounds the calls between Do's function and the go statement.
const maxOnceDepth = 3

// onceOfObject finds the goroutine that a function starts which the Once of an object
// runs.
func (t *tokens) onceOfObject(f *ssa.Function) {
	sites := t.l.once.Sites[f]
	if !t.l.once.Known(f) || len(sites) != 1 {
		return
	}
	do, ok := sites[0].(*ssa.Call)
	if !ok {
		return
	}
	g := do.Common().StaticCallee()
	if g == nil || library.Name(g) != "(*sync.Once).Do" || len(do.Common().Args) != 2 {
		return
	}
	m, ok := do.Common().Args[1].(*ssa.MakeClosure)
	if !ok || m.Fn != f || m.Block() != do.Block() {
		return
	}
	once := do.Common().Args[0]
	if t.l.overwritten.isWritten(once, form.Deref(once.Type())) {
		return
	}
	s := &onceStart{t: once}
	root := once
	for {
		a, ok := root.(*ssa.FieldAddr)
		if !ok {
			break
		}
		s.path = append([]*ssa.FieldAddr{a}, s.path...)
		root = a.X
	}
	if of := setOnce(root); len(s.path) > 0 && of != nil {
		if t.giveOnce(s, f, of, 0) {
			t.onces[do] = s
		}
	}
}

// giveOnce gives the token to the first goroutine that f, or a function that it alone
// calls, starts once and gives the object to.
func (t *tokens) giveOnce(s *onceStart, f *ssa.Function, of ssa.Value, depth int) bool {
	for _, b := range f.DomPreorder() {
		if form.OnCycle(b) {
			continue
		}
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			callee := c.Common().StaticCallee()
			if callee == nil || form.Body(callee) != callee || len(callee.Blocks) == 0 {
				continue
			}
			for i, a := range c.Common().Args {
				if setOnce(a) != of {
					continue
				}
				switch c.(type) {
				case *ssa.Go:
					t.start[in] = append(t.start[in], startToken{mode: ir.Exclusive, once: s, param: i})
					return true
				case *ssa.Call:
					sites := t.l.once.Sites[callee]
					if depth < maxOnceDepth && t.l.once.Known(callee) && len(sites) == 1 &&
						t.giveOnce(s, callee, callee.Params[i], depth+1) {
						return true
					}
				}
			}
		}
	}
	return false
}

// setOnce is what a value is: that of a variable which is set once, also where a closure
// has captured it.
func setOnce(v ssa.Value) ssa.Value {
	for range 8 {
		switch x := v.(type) {
		case *ssa.FreeVar:
			b := form.Binding(x)
			if b == nil {
				return v
			}
			v = b
		case *ssa.UnOp:
			at := x.X
			if fv, ok := at.(*ssa.FreeVar); ok {
				at = setOnce(fv)
			}
			a, ok := at.(*ssa.Alloc)
			if !ok {
				return v
			}
			st := form.OnlyStore(a)
			if st == nil {
				return nil
			}
			v = st.Val
		default:
			return v
		}
	}
	return nil
}

// token is the address of the Once's token, from that of the object.
func (s *onceStart) token(l *lowering, object ir.Expr) ir.Expr {
	at := object
	for _, a := range s.path {
		st := l.lay.Of(form.Deref(a.X.Type())).Mem.(*ir.Struct)
		at = ir.FieldAddr{Base: irgen.Typed(at, ir.Ptr{Elem: st}), S: st, Index: a.Field}
	}
	if c := l.constant_(s.t); c != nil {
		at = c
	}
	w := l.lay.Of(form.Deref(s.t.Type())).Mem.(*ir.Struct)
	return ir.FieldAddr{Base: irgen.Typed(at, ir.Ptr{Elem: w}), S: w, Index: onceToken}
}

// onceToken is the member of a Once that is its token.
const onceToken = 3

// beginOnce takes the token for the function that Do runs.
func (t *tokens) beginOnce(x *fn, once ir.Expr, of types.Type) {
	do, ok := x.Site.(*ssa.Call)
	if !ok || t.onces[do] == nil {
		return
	}
	if c := t.l.constant_(do.Common().Args[0]); c != nil {
		once = c
	}
	x.Emit(&ir.Lock{Base: x.Base(), Lock: x.Member(once, of, onceToken), Mode: ir.Exclusive,
		Class: ir.GhostOrder})
}
