package world

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// Values that share their lock. Rule: a value that is made of another one, by taking its
// lock and everything that it shares from that one, counts as that one:
//
//	func (h *Handler) WithName(n string) *Handler { return &Handler{mu: h.mu, w: h.w, name: n} }
//
// Argument: the type has its locks behind pointers, which are stored where a value is made
// and nowhere else, and no lock or atomic of its own. A value that is made so has the lock
// of the first, and what it leads to that changes is new, or lies in the same member of
// the first. So all values with one lock lead to what that lock protects in each of them,
// and values with other locks share nothing with them: two values that share memory have
// one lock, as if they were one value.

// takesLock reports whether what is made at an allocation is made of a parameter that way.
func (s *sharing) takesLock(made ssa.Value, n *types.Named, of *ssa.Parameter) bool {
	a, ok := made.(*ssa.Alloc)
	st, isStruct := n.Underlying().(*types.Struct)
	if !ok || !isStruct || !form.OfType(a.Type(), n) || !form.IsPointer(of.Type()) ||
		!form.OfType(of.Type(), n) || !s.locksBehind(n, st) {
		return false
	}
	taken := map[int]bool{}
	for _, r := range form.Uses(a) {
		switch r := r.(type) {
		case *ssa.Store: // all of it
			from, ok := r.Val.(*ssa.UnOp)
			if r.Addr != a {
				continue // it is stored somewhere
			}
			if !ok || from.Op != token.MUL || from.X != of {
				return false
			}
			for i := range st.NumFields() {
				taken[i] = true
			}
		case *ssa.FieldAddr:
			for _, w := range form.Uses(r) {
				store, ok := w.(*ssa.Store)
				if !ok || store.Addr != r {
					if !form.OnlyReadAt(r) {
						return false
					}
					continue
				}
				switch {
				case memberLoaded(store.Val, of, r.Field):
					taken[r.Field] = true
				case isLockPointer(st.Field(r.Field).Type()):
					return false
				case s.C.leads(store.Val.Type()) && !form.JustMade(store.Val):
					return false
				}
			}
		}
	}
	for i := range st.NumFields() {
		if isLockPointer(st.Field(i).Type()) && !taken[i] {
			return false
		}
	}
	return true
}

// memberLoaded reports whether a value is what a member of a parameter has.
func memberLoaded(v ssa.Value, of *ssa.Parameter, field int) bool {
	u, ok := v.(*ssa.UnOp)
	if !ok || u.Op != token.MUL {
		return false
	}
	f, ok := u.X.(*ssa.FieldAddr)
	return ok && f.X == of && f.Field == field
}

// locksBehind reports whether a type has locks behind pointers, which are set where its
// values are made only, and nothing that synchronises in itself.
func (s *sharing) locksBehind(n *types.Named, st *types.Struct) bool {
	if s.C.cells[form.OriginKey(n)] { // written as a whole
		return false
	}
	found := false
	for i := range st.NumFields() {
		t := st.Field(i).Type()
		if !isLockPointer(t) {
			if !form.IsPointer(t) && s.w.syncIn(t, 0) != notAtAll {
				return false
			}
			continue
		}
		if st.Field(i).Exported() || s.C.lockSet[st.Field(i).Origin()] {
			return false
		}
		found = true
	}
	return found
}

func isLockPointer(t types.Type) bool {
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "sync" {
		return false
	}
	switch n.Obj().Name() {
	case "Mutex", "RWMutex":
		return form.IsPointer(t)
	case "Locker":
		return true
	}
	return false
}
