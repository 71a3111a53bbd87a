package entry

import (
	"slices"

	"whoop/ir"
)

// What another call makes known. Controls and streams that are added to a sound card are
// there for users from when the card is registered on
// (sound/kernel-api/writing-an-alsa-driver.rst, "Basic Flow for PCI Drivers"). So where an
// entry adds them and registers the card, adding them starts nothing: either the card is
// not registered yet, or its registration has started what is of these kinds already.

// madeKnownLater drops the registrations that another call of their entries makes known.
func (x *inferrer) madeKnownLater() {
	var drop []ir.Instr
	for _, s := range x.cg.sites {
		r, ok := s.in.(*ir.Register)
		if !ok || slices.Contains(r.Kinds, ir.KeptKind) || r.Fn != nil {
			continue
		}
		if m := x.m.Func(r.API); m != nil && m.After != "" && x.allRegister(s.fn, m.After) {
			drop = append(drop, r)
			s.block.Instrs = slices.DeleteFunc(s.block.Instrs, func(in ir.Instr) bool { return in == ir.Instr(r) })
		}
	}
	x.cg.sites = slices.DeleteFunc(x.cg.sites, func(s site) bool { return slices.Contains(drop, s.in) })
}

// allRegister reports whether all entries that run a function, one at least, call what
// registers by that name, too.
func (x *inferrer) allRegister(f *ir.Func, name string) bool {
	found := false
	for _, e := range x.p.Entries {
		reached := x.cg.reachable(e.Func)
		if !reached[f] {
			continue
		}
		if !slices.ContainsFunc(x.cg.sites, func(s site) bool {
			r, ok := s.in.(*ir.Register)
			return ok && r.API == name && !slices.Contains(r.Kinds, ir.KeptKind) && reached[s.fn]
		}) {
			return false
		}
		found = true
	}
	return found
}

// callsAny reports whether the program calls one of some functions that are not seen, or
// has the address of one.
func (x *inferrer) callsAny(names []string) bool {
	if len(names) == 0 {
		return false
	}
	return slices.ContainsFunc(names, func(n string) bool {
		if f := x.p.FuncByName(n); f != nil && x.cg.taken[f] {
			return true
		}
		return slices.ContainsFunc(x.cg.sites, func(s site) bool {
			switch in := s.in.(type) {
			case *ir.Call:
				f := direct(in.Callee)
				return f != nil && f.Name == n
			case *ir.Register:
				return in.API == n
			case *ir.Unregister:
				return in.API == n
			case *ir.Touch:
				return in.Why == n
			}
			return false
		})
	})
}
