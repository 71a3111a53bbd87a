package c

import (
	"slices"

	"modernc.org/cc/v4"

	"whoop/frontend/models"
	"whoop/ir"
)

// What a function of an interface keeps of what it is given, and what its model leaves out.

// callbacks makes functions that the kernel gets in arguments of which the model says
// nothing entry points of their own: they may be called later.
func (a *apiCall) callbacks() {
	for i, v := range a.vs {
		p, ok := v.Type().(ir.Ptr)
		if !ok || isNull(v) || !a.core() || a.cur == nil {
			continue
		}
		named := false
		for _, k := range a.m.Arg {
			named = named || k == i
		}
		named = named || slices.ContainsFunc(a.m.Calls, func(c models.CalledBack) bool { return c.Arg == i })
		printed := a.m.Strings > 0 && i >= a.m.Strings // %ps
		if _, fn := p.Elem.(ir.FuncType); fn && !named && !printed {
			a.gets(a.x, a.name, v)
		}
	}
}

// kept publishes what the kernel keeps and may hand out later: objects that are
// registered, or have functions to call, those of which it gets the address as void *
// (idr_alloc), and what the model names. It accesses nothing there by itself.
func (a *apiCall) kept() {
	if a.m.Borrows {
		return
	}
	ps := parameters(a.x)
	for i, v := range a.vs {
		inner := v
		for c, ok := inner.(ir.Cast); ok; c, ok = inner.(ir.Cast) {
			inner = c.X
		}
		p, ok := inner.Type().(ir.Ptr)
		st, isStruct := p.Elem.(*ir.Struct)
		if !ok || !isStruct || !a.core() || a.cur == nil {
			continue
		}
		if !slices.Contains(a.p.Handed, st) {
			a.p.Handed = append(a.p.Handed, st)
		}
		keeps := slices.Contains(a.m.Keeping, i)
		switch a.m.Op {
		case models.OpRegister, models.OpCallback:
			keeps = true
		case models.OpPure:
			keeps = keeps || i < len(ps) && cookie(ps[i].Type()) || callsBack(st) || a.links(i, st)
		case models.OpEffects:
			keeps = keeps || len(a.m.Writes)+len(a.m.WritesAll) > 0 && a.links(i, st)
		}
		if keeps {
			a.emit(&ir.Register{Base: at(a.x), API: a.name, Obj: v, Kinds: []string{ir.KeptKind}})
		}
	}
}

// links reports whether a call may put its argument i, a st, into a structure with another
// one, or another one into this: a queue and its element, say. Bodies of headers follow the
// links, so that functions of which the model says nothing must not make them unseen.
func (a *apiCall) links(i int, st *ir.Struct) bool {
	for k, v := range a.vs {
		p, ok := ir.Uncast(v).Type().(ir.Ptr)
		if to, isStruct := p.Elem.(*ir.Struct); ok && isStruct && k != i &&
			(leadsTo(st, to) || leadsTo(to, st)) {
			return true
		}
	}
	return false
}

// leadsTo reports whether a struct has a pointer to another one, or to a struct that the
// other one has in it.
func leadsTo(st, to *ir.Struct) bool {
	return slices.ContainsFunc(st.Fields, func(f ir.Field) bool {
		switch t := f.Type.(type) {
		case *ir.Struct:
			return leadsTo(t, to)
		case ir.Ptr:
			in, ok := t.Elem.(*ir.Struct)
			return ok && has(to, in)
		}
		return false
	})
}

// has reports whether a struct is another one, or has one in it.
func has(st, in *ir.Struct) bool {
	return st == in || slices.ContainsFunc(st.Fields, func(f ir.Field) bool {
		t, ok := f.Type.(*ir.Struct)
		return ok && has(t, in)
	})
}

// callsBack reports whether a struct has functions of its user, or a pointer to a table
// of them.
func callsBack(st *ir.Struct) bool {
	return slices.ContainsFunc(st.Fields, func(f ir.Field) bool {
		switch t := f.Type.(type) {
		case *ir.Struct:
			return callsBack(t)
		case ir.Ptr:
			_, fn := t.Elem.(ir.FuncType)
			return fn
		}
		return false
	})
}

// cookie reports whether a parameter is void *.
func cookie(t cc.Type) bool {
	p, ok := t.Decay().(*cc.PointerType)
	return ok && p.Elem().Kind() == cc.Void && !p.Elem().Attributes().IsConst()
}

// keepsNull reports whether the argument that the call keeps is null.
func (a *apiCall) keepsNull() bool {
	i := a.m.Keeps - 1
	if i < 0 || i >= len(a.vs) {
		return false
	}
	switch v := base(a.vs[i]).(type) {
	case ir.Null:
		return true
	case ir.Const:
		return v.Val.Sign() == 0
	}
	return false
}

// leftOut says what the model leaves out, where the call does that.
func (a *apiCall) leftOut() {
	if a.m.LeavesOut != "" && !a.keepsNull() && a.flagged() {
		a.warn("unmodelled", a.x, a.name, "%s: %s", a.name, a.m.LeavesOut)
	}
	if a.hasMain() {
		a.beside()
	}
	a.environ()
}

// flagged reports whether the bits that the model's LeavesOut is restricted to may be
// set.
func (a *apiCall) flagged() bool {
	f := a.m.Flag
	if f == nil || f.Arg >= len(a.vs) {
		return true
	}
	n, ok := ir.IntOf(a.vs[f.Arg])
	if !ok && f.Arg < len(a.es) {
		if v, isConst := intValue(a.es[f.Arg]); isConst && v.IsInt64() {
			n, ok = v.Int64(), true
		}
	}
	return !ok || n&f.Mask != 0
}
