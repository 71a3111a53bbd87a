package form

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// IntVar is such a variable: an allocation, or several that are one after the other, as
// phis say.
type IntVar struct {
	Name    string
	Members map[ssa.Value]bool // allocations and phis
	stores  map[ssa.Instruction]ssa.Value
	makes   []*ssa.MakeClosure
}

// Copyable reports whether a value is the address of a variable that is one scalar.
func Copyable(v ssa.Value) bool {
	p, ok := v.Type().Underlying().(*types.Pointer)
	return ok && (Unframed(v) || Leads(p.Elem()))
}

// Unframed reports whether a value is the address of an integer or a channel: those need
// no place in a frame, as what a lock in it protects does not depend on them.
func Unframed(v ssa.Value) bool {
	p, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ch := p.Elem().Underlying().(*types.Chan)
	return ch || IsInteger(p.Elem())
}

// Leads reports whether values of a type are one pointer.
func Leads(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Signature:
		return true
	}
	return false
}

// CapturedVar finds the variable of an address, where it is captured and is not written
// any more then.
func CapturedVar(v ssa.Value) *IntVar {
	g := &IntVar{Members: map[ssa.Value]bool{}, stores: map[ssa.Instruction]ssa.Value{}}
	work := []ssa.Value{v}
	for len(work) > 0 {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		if g.Members[m] {
			continue
		}
		g.Members[m] = true
		switch m := m.(type) {
		case *ssa.Alloc:
			if !m.Heap {
				return nil
			}
			g.Name = m.Comment
		case *ssa.Phi:
			work = append(work, m.Edges...)
		default:
			return nil
		}
		for _, r := range Uses(m) {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr != m || r.Val == m {
					return nil
				}
				g.stores[r] = m
			case *ssa.UnOp:
				if r.Op != token.MUL {
					return nil
				}
			case *ssa.MakeClosure:
				if !readOnly(r, m) {
					return nil
				}
				g.makes = append(g.makes, r)
			case *ssa.Phi:
				work = append(work, r)
			default:
				return nil
			}
		}
	}
	if len(g.makes) == 0 {
		return nil
	}
	for _, m := range g.makes {
		if g.writtenAfter(m) {
			return nil
		}
	}
	for m := range g.Members {
		if a, ok := m.(*ssa.Alloc); ok && g.outlives(a) {
			return nil
		}
	}
	return g
}

// OnlyStored is the one value that is stored in the variable that a load is from, which
// closures only read; nil where that is not so.
func OnlyStored(v *ssa.UnOp) ssa.Value {
	at := v.X
	for {
		free, ok := at.(*ssa.FreeVar)
		if !ok {
			break
		}
		at = Binding(free)
	}
	a, ok := at.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var val ssa.Value
	for _, r := range Uses(a) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != a || val != nil {
				return nil
			}
			val = r.Val
		case *ssa.UnOp:
		case *ssa.MakeClosure:
			if !readOnly(r, a) {
				return nil
			}
		default:
			return nil
		}
	}
	return val
}

// writtenAfter reports whether a variable may be written after a closure has captured it,
// before there is a new one.
func (g *IntVar) writtenAfter(m *ssa.MakeClosure) bool {
	for st, to := range g.stores {
		made := to.(ssa.Instruction)
		if Reaches(m, func(in ssa.Instruction) (stop, found bool) { return in == made, in == st }) {
			return true
		}
	}
	return false
}

// outlives reports whether an earlier variable may be used after a new one was made,
// under another name: then they are not one after the other.
func (g *IntVar) outlives(a *ssa.Alloc) bool {
	for m := range g.Members {
		if m == ssa.Value(a) {
			continue
		}
		at := m.(ssa.Instruction)
		used := func(u ssa.Instruction) bool {
			return Reaches(a, func(in ssa.Instruction) (stop, found bool) { return in == at, in == u })
		}
		for _, u := range Uses(m) {
			phi, ok := u.(*ssa.Phi)
			if !ok && used(u) {
				return true
			}
			// it is used where the way to the phi begins
			for i := 0; ok && i < len(phi.Edges); i++ {
				from := phi.Block().Preds[i]
				if phi.Edges[i] == m && used(from.Instrs[len(from.Instrs)-1]) {
					return true
				}
			}
		}
	}
	return false
}

// readOnly reports whether the function of a closure only reads a variable that it
// captures, and so do those that it makes.
func readOnly(m *ssa.MakeClosure, v ssa.Value) bool {
	f := m.Fn.(*ssa.Function)
	for i, b := range m.Bindings {
		if b != v {
			continue
		}
		if Binding(f.FreeVars[i]) != v {
			return false
		}
		for _, r := range Uses(f.FreeVars[i]) {
			switch r := r.(type) {
			case *ssa.UnOp:
				if r.Op != token.MUL {
					return false
				}
			case *ssa.MakeClosure:
				if !readOnly(r, f.FreeVars[i]) {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}
