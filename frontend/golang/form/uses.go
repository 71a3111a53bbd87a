package form

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// OnlyLoaded reports whether a function does nothing with the address of a member but
// read there.
func OnlyLoaded(at ssa.Value) bool {
	for _, r := range Uses(at) {
		switch r := r.(type) {
		case *ssa.UnOp:
		case *ssa.FieldAddr:
			if !OnlyLoaded(r) {
				return false
			}
		case *ssa.IndexAddr:
			if !OnlyLoaded(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// OnlyReadAt reports whether an address, and those of parts, are only loaded from.
func OnlyReadAt(v ssa.Value) bool {
	for _, r := range Uses(v) {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr:
			if !OnlyReadAt(r) {
				return false
			}
		case *ssa.IndexAddr:
			if r.X != v || !OnlyReadAt(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// onlyNamed reports whether the address of a variable goes nowhere but to closures that
// store to the variable and read it.
func onlyNamed(addr ssa.Value) bool {
	for _, r := range Uses(addr) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != addr || r.Val == addr {
				return false
			}
		case *ssa.UnOp:
		case *ssa.MakeClosure:
			f := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == addr && (Binding(f.FreeVars[i]) == nil || !onlyNamed(f.FreeVars[i])) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// OnlyRead reports whether an instruction does nothing to a variable but read it, or
// capture it for a closure that only reads it.
func OnlyRead(v ssa.Value, in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return true
	case *ssa.MakeClosure:
		f := in.Fn.(*ssa.Function)
		for i, b := range in.Bindings {
			if b != v {
				continue
			}
			for _, r := range Uses(f.FreeVars[i]) {
				if !OnlyRead(f.FreeVars[i], r) {
					return false
				}
			}
		}
		return true
	}
	return false
}

// OnlyReadOrInitial reports whether a member is only read by its address here, or written
// in a new object.
func OnlyReadOrInitial(at *ssa.FieldAddr) bool {
	for _, r := range Uses(at) {
		switch r := r.(type) {
		case *ssa.UnOp:
			if r.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if r.Val == at || !Initial(r, at) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Uses lists what refers to a value, debug information aside.
func Uses(v ssa.Value) []ssa.Instruction {
	var out []ssa.Instruction
	if v.Referrers() == nil {
		return nil
	}
	for _, r := range *v.Referrers() {
		if _, ok := r.(*ssa.DebugRef); !ok {
			out = append(out, r)
		}
	}
	return out
}

// OnlyStore is the only store to a variable that is otherwise read, also by closures; or
// nil.
func OnlyStore(a *ssa.Alloc) *ssa.Store {
	var out *ssa.Store
	for _, r := range Uses(a) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != a || out != nil {
				return nil
			}
			out = r
		case *ssa.UnOp:
		case *ssa.MakeClosure:
			if !OnlyRead(a, r) {
				return nil
			}
		default:
			return nil
		}
	}
	return out
}

// SetFirst reports whether a variable is stored to once, before anything else is done with
// it: all who read it, in closures, too, read that.
func SetFirst(a *ssa.Alloc) bool {
	st := OnlyStore(a)
	if st == nil || OnCycle(st.Block()) {
		return false
	}
	for _, r := range Uses(a) {
		if r != ssa.Instruction(st) && !Before(st, r) {
			return false
		}
	}
	return true
}

// FieldOnlyRead reports whether an address is only loaded from.
func FieldOnlyRead(v ssa.Value) bool {
	for _, r := range Uses(v) {
		u, ok := r.(*ssa.UnOp)
		if !ok || u.X != v {
			return false
		}
	}
	return true
}

// OnlyReturned reports whether the address of an object goes nowhere but into the value
// that is returned.
func OnlyReturned(a *ssa.Alloc, m *ssa.MakeInterface) bool {
	for _, u := range Uses(a) {
		switch u := u.(type) {
		case *ssa.FieldAddr:
		case *ssa.Store:
			if u.Val == ssa.Value(a) {
				return false
			}
		case *ssa.MakeInterface:
			if u != m || len(Uses(m)) != 1 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// OnlyReceived reports whether the result of a call is only received from.
func OnlyReceived(c *ssa.Call) bool {
	for _, r := range Uses(c) {
		if u, ok := r.(*ssa.UnOp); !ok || u.Op != token.ARROW {
			return false
		}
	}
	return true
}
