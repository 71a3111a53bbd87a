package golang

import (
	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// A goroutine that a function starts which one sync.Once runs is started once, whoever
// calls Do. It gets a token of its own, exclusively and for ever: so it is not concurrent
// with itself.

// onceGoroutines gives the go statements of a function their tokens if the function runs
// once that way.
func (t *tokens) onceGoroutines(f *ssa.Function) {
	t.onceOfObject(f)
	if !t.l.byOnce(f) {
		return
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if g, ok := in.(*ssa.Go); ok && !form.OnCycle(b) && form.CalleeOf(g) != nil {
				lock := t.l.NewGlobal("once goroutine", ir.U32, t.l.Pos(g.Pos()))
				t.start[g] = append(t.start[g], startToken{lock: ir.GlobalAddr{Global: lock}, mode: ir.Exclusive})
			}
		}
	}
}

// byOnce reports whether f runs at most once because one sync.Once, which is never
// overwritten, runs it, and nothing else does.
func (l *lowering) byOnce(f *ssa.Function) bool {
	sites := l.once.Sites[f]
	if !l.once.Known(f) || len(sites) != 1 {
		return false
	}
	g := sites[0].Common().StaticCallee()
	if _, isGo := sites[0].(*ssa.Go); isGo || g == nil || library.Name(g) != "(*sync.Once).Do" {
		return false
	}
	once := sites[0].Common().Args[0]
	return l.fixedAddress(once) && !l.overwritten.isWritten(once, form.Deref(once.Type()))
}

// fixedAddress reports whether an address is always that of the same object.
func (l *lowering) fixedAddress(v ssa.Value) bool {
	if l.constant_(v) != nil {
		return true
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return l.fixedAddress(v.X)
	case *ssa.UnOp:
		a, ok := v.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		st := form.OnlyStore(a)
		return st != nil && l.fixedAddress(st.Val)
	}
	return false
}
