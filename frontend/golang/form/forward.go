package form

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// StoredValue is the value that a load of a member of a new object surely yields: what a
// store put there that comes before it, with no other store to the member between them,
// while nobody else knows the object. So the map of a shallow copy is the new one, once it
// has been replaced. nil where that is not known.
func StoredValue(v *ssa.UnOp) ssa.Value {
	at, ok := v.X.(*ssa.FieldAddr)
	if !ok || v.Op != token.MUL {
		return nil
	}
	obj, ok := at.X.(*ssa.Alloc)
	if !ok || obj.Referrers() == nil {
		return nil
	}
	var stores []*ssa.Store
	for _, r := range *obj.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Return:
		case *ssa.UnOp:
			if r.Op != token.MUL {
				return nil
			}
		case *ssa.Store:
			if r.Val == obj && !never(r, v) {
				return nil
			}
			if r.Addr == obj {
				stores = append(stores, r)
			}
		case *ssa.FieldAddr:
			more, ok := memberStores(r, v)
			if !ok {
				return nil
			}
			if r.Field == at.Field {
				stores = append(stores, more...)
			}
		default:
			if !never(r, v) {
				return nil
			}
		}
	}
	for _, s := range stores {
		if s.Addr == obj || !ComesBefore(s, v) {
			continue
		}
		if !slices.ContainsFunc(stores, func(o *ssa.Store) bool { return o != s && between(s, o, v) }) {
			return s.Val
		}
	}
	return nil
}

// memberStores are the stores to a member; false where something else may be done with its
// address before the load v.
func memberStores(at *ssa.FieldAddr, v *ssa.UnOp) ([]*ssa.Store, bool) {
	var out []*ssa.Store
	for _, r := range *at.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if r.Op != token.MUL {
				return nil, false
			}
		case *ssa.Store:
			if r.Val == at {
				return nil, false
			}
			out = append(out, r)
		default:
			if !never(r, v) {
				return nil, false
			}
		}
	}
	return out, true
}

// never reports whether an instruction is not executed before another one of the function.
func never(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		return indexIn(a) > indexIn(b) && !OnCycle(a.Block())
	}
	return !LeadsTo(a.Block(), b.Block())
}

// between reports whether o may be executed after s and before v, which s comes before,
// with no s again.
func between(s, o, v ssa.Instruction) bool {
	switch {
	case o.Block() == s.Block() && o.Block() == v.Block():
		return indexIn(s) < indexIn(o) && indexIn(o) < indexIn(v)
	case s.Block() == v.Block():
		return false // the block begins anew, and s comes first
	case o.Block() == s.Block():
		return indexIn(s) < indexIn(o)
	case o.Block() == v.Block():
		return indexIn(o) < indexIn(v) || ReachesAvoiding(o.Block(), v.Block(), s.Block())
	}
	return ReachesAvoiding(o.Block(), v.Block(), s.Block())
}

// indexIn is the place of an instruction in its block.
func indexIn(in ssa.Instruction) int { return slices.Index(in.Block().Instrs, in) }
