package precise

import (
	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// For verify, following nil panics, and what holds one address or nil is taken to hold
// the address. An exact lowering must tell nil: there, what is read from memory has a
// known address only if it is a variable that is assigned once, before anything else is
// done with it.

// OnceAssigned knows which variables are.
type OnceAssigned struct {
	allocs  map[*ssa.Alloc]bool
	globals map[*ssa.Global]bool
}

func FindOnceAssigned(fs []*ssa.Function) *OnceAssigned {
	o := &OnceAssigned{allocs: map[*ssa.Alloc]bool{}, globals: map[*ssa.Global]bool{}}
	stores, bad := map[*ssa.Global]int{}, map[*ssa.Global]bool{}
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if a, ok := in.(*ssa.Alloc); ok {
					o.allocs[a] = assignedOnce(a)
				}
				for _, op := range in.Operands(nil) {
					g, ok := (*op).(*ssa.Global)
					if !ok {
						continue
					}
					switch in := in.(type) {
					case *ssa.UnOp, *ssa.DebugRef:
					case *ssa.Store:
						stores[g]++
						bad[g] = bad[g] || in.Addr != ssa.Value(g) || f.Synthetic != "package initializer"
					default:
						bad[g] = true
					}
				}
			}
		}
	}
	for g, n := range stores {
		o.globals[g] = n == 1 && !bad[g]
	}
	return o
}

// assignedOnce reports whether a variable is stored to once, before all else that is done
// with it, and nothing but reads follows, in closures too.
func assignedOnce(a *ssa.Alloc) bool {
	var store *ssa.Store
	for _, r := range form.Uses(a) {
		if s, ok := r.(*ssa.Store); ok {
			if store != nil || s.Addr != ssa.Value(a) {
				return false
			}
			store = s
		}
	}
	if store == nil {
		return false
	}
	for _, r := range form.Uses(a) {
		if r != ssa.Instruction(store) && !(form.Before(store, r) && form.OnlyRead(a, r)) {
			return false
		}
	}
	return true
}

// Surely reports whether a variable at an address has been assigned whenever it is read.
func (o *OnceAssigned) Surely(addr ssa.Value) bool {
	for range 10 {
		switch v := addr.(type) {
		case *ssa.Alloc:
			return o.allocs[v]
		case *ssa.Global:
			return o.globals[v]
		case *ssa.FreeVar:
			b := form.Binding(v)
			if b == nil {
				return false
			}
			addr = b
		default:
			return false
		}
	}
	return false
}
