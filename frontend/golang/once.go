package golang

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// findVariables decides where the escaping variables of f lie.
func (l *lowering) findVariables(o *world.Once, f *ssa.Function) {
	var group []*ssa.Alloc
	lock := false
	tells := !l.Exact && tellsOf(f)
	for _, b := range f.DomPreorder() {
		for _, in := range b.Instrs {
			if o.Runs(f) && !form.OnCycle(b) {
				l.lift(f, in)
				continue
			}
			a, ok := in.(*ssa.Alloc)
			if !ok || !a.Heap || form.OnCycle(b) || !form.IsVariable(a) || form.Unframed(a) && form.CapturedVar(a) != nil && !(tells && madeIn(a, f)) {
				continue
			}
			t := form.Deref(a.Type())
			if len(group) == 0 || group[0].Block().Dominates(b) {
				group = append(group, a)
				lock = lock || l.HoldsLock(t, 0)
			}
		}
	}
	if !tells && (!lock || len(group) < 2) || len(group) == 0 {
		return
	}
	fi := &frameInfo{s: l.lay.NewStruct(l.FuncName(f) + " variables"), index: map[*ssa.Alloc]int{}, leader: group[0]}
	off := int64(0)
	used := map[string]int{}
	for i, a := range group {
		lay := l.lay.Of(form.Deref(a.Type()))
		off = irgen.RoundUp(off, 8)
		name := a.Comment
		if used[name]++; used[name] > 1 {
			name += "#" + string(rune('0'+used[name]%10))
		}
		fi.s.Fields = append(fi.s.Fields, ir.Field{Name: name, Type: lay.Mem, Offset: off, Const: form.SetFirst(a)})
		fi.index[a] = i
		off += max(lay.Size, 1)
	}
	fi.s.Bytes = irgen.RoundUp(off, 8)
	l.frames[f] = fi
}

// lift makes a global of what an instruction allocates that is executed at most once.
func (l *lowering) lift(f *ssa.Function, in ssa.Instruction) {
	v, ok := in.(ssa.Value)
	if !ok {
		return
	}
	at := l.Pos(v.Pos())
	switch v := v.(type) {
	case *ssa.Alloc:
		t := form.Deref(v.Type())
		if n := l.CtorAllocs[v]; n != nil {
			if g := l.receiver[l.lay.Of(n).Mem]; g != nil {
				l.lifted[v] = g
				return
			}
		}
		if !v.Heap || l.lay.Of(t).Mem.Size() == 0 {
			return
		}
		switch {
		case form.IsVariable(v):
			l.lifted[v] = l.NewGlobal(l.FuncName(f)+"."+v.Comment, l.lay.Of(t).Mem, at)
		case !l.Exact && handedOver(v): // its maker has it alone until then: tokens tell that of allocations
		case v.Comment == "complit" || v.Comment == "new":
			l.lifted[v] = l.NewGlobal(fmt.Sprintf("%s(line %d)", l.TypeName(t), at.Line), l.lay.Of(t).Mem, at)
		}
	case *ssa.MakeMap, *ssa.MakeChan:
		pt, ok := l.lay.Of(v.Type()).Leaves[0].T.(ir.Ptr)
		if !ok {
			return // of a type parameter
		}
		name := fmt.Sprintf("%s(line %d)", l.TypeName(v.Type()), at.Line)
		if s := form.Variable(v); l.Exact && s != "" {
			name = s
		}
		l.lifted[v] = l.NewGlobal(name, pt.Elem, at)
		if m, ok := v.(*ssa.MakeChan); ok {
			l.precise.CapOf[l.lifted[v]] = m
		}
	}
}

// handedOver reports whether a new object is stored once, where others may find it, and
// not used any more by who has made it: that of p.Store(&T{…}), s.t = &T{…}. One in which
// there is anything but data is none: its locks are known by the variable that it is.
func handedOver(a *ssa.Alloc) bool {
	st, ok := form.Deref(a.Type()).Underlying().(*types.Struct)
	if !ok || !onlyData(st) {
		return false
	}
	n := 0
	for _, r := range form.Uses(a) {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			for _, w := range form.Uses(r) {
				if s, ok := w.(*ssa.Store); !ok || s.Addr != ssa.Value(r) || s.Block() != a.Block() {
					return false
				}
			}
			continue
		case *ssa.Store:
			if s, is := r.Addr.(*ssa.Alloc); r.Addr == ssa.Value(a) || is && form.IsVariable(s) {
				return false
			}
		case *ssa.Call:
			if g := r.Call.StaticCallee(); g == nil || !strings.HasPrefix(library.Name(g), "(*sync/atomic.") {
				return false
			}
		default:
			return false
		}
		if n++; r.Block() != a.Block() {
			return false
		}
	}
	return n == 1
}

// onlyData reports whether a struct has fields of basic types, and fields that lead to
// other objects, only.
func onlyData(st *types.Struct) bool {
	for i := range st.NumFields() {
		switch st.Field(i).Type().Underlying().(type) {
		case *types.Basic, *types.Pointer, *types.Map, *types.Slice, *types.Interface:
		default:
			return false
		}
	}
	return true
}
