package entry

import (
	"slices"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// Registrations by name (package c, registers.go). What ends one is told by the rest of
// the two functions' names. It ends the kinds that the other one starts, of which all
// this is so:
//
//   - one call in the program registers them, outside of loops and of what may overlap
//     itself: so there is one object for each device, and it is this one that ends;
//   - no other function registers entries of such a kind;
//   - their functions serve in no other table.

// named says what the calls end that no model describes.
func (x *inferrer) named() {
	for _, s := range x.cg.sites {
		in, ok := s.in.(*ir.Unregister)
		if !ok {
			continue
		}
		if m := x.m.Func(in.API); m != nil {
			for _, k := range m.Alone {
				if x.registeredOnce(k) && !x.groupsOfOthers() {
					in.Kinds = append(slices.Clone(in.Kinds), k)
				}
			}
			continue
		}
		stem, starts, ends := models.Stem(in.API)
		if !ends && !(starts && models.Managed(in.API)) {
			continue
		}
		in.Kinds = x.endedBy(stem)
		if len(in.Kinds) == 0 {
			in.Kinds = []string{noKind}
			continue
		}
		x.p.Assume("registration", in.Pos, "after %s, functions in %s do not run any more", in.API, strings.Join(in.Kinds, ", "))
	}
}

// registeredOnce reports whether one call in the program registers entries of a kind, as
// in endedBy.
func (x *inferrer) registeredOnce(k string) bool {
	var by []site
	for _, s := range x.cg.sites {
		r, ok := s.in.(*ir.Register)
		if ok && r.Fn == nil && !slices.Contains(r.Kinds, ir.KeptKind) && overlap(r.Kinds, k) {
			by = append(by, s)
		}
	}
	return x.single(by) && !x.serveElsewhere(k)
}

// groupsOfOthers reports whether groups of attributes are left to the driver core, in a
// member of a driver, a device or their types.
func (x *inferrer) groupsOfOthers() bool {
	names := []string{"dev_groups", "groups", "drv_groups", "bus_groups", "class_groups"}
	for _, g := range x.p.Globals {
		for _, c := range g.Init {
			if slices.ContainsFunc(names, func(n string) bool { return memberAt(g.Type, c.Offset, n) }) {
				return true
			}
		}
	}
	return slices.ContainsFunc(x.cg.sites, func(s site) bool {
		st, ok := s.in.(*ir.Store)
		if !ok {
			return false
		}
		fa, ok := ir.Uncast(st.Addr).(ir.FieldAddr)
		return ok && slices.Contains(names, fa.S.Fields[fa.Index].Name) && !ir.IsNull(st.Val)
	})
}

// endedBy are the kinds that the one call with a stem registers, and nothing else does.
func (x *inferrer) endedBy(stem string) []string {
	var by []site
	var others []*ir.Register
	for _, s := range x.cg.sites {
		r, ok := s.in.(*ir.Register)
		if !ok || r.Fn != nil || slices.Contains(r.Kinds, ir.KeptKind) {
			continue
		}
		if n, starts, _ := models.Stem(r.API); starts && n == stem && x.m.Func(r.API) == nil {
			by = append(by, s)
		} else {
			others = append(others, r)
		}
	}
	if !x.single(by) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(by[0].in.(*ir.Register).Kinds), func(k string) bool {
		return slices.ContainsFunc(others, func(r *ir.Register) bool { return overlap(r.Kinds, k) }) || x.serveElsewhere(k)
	})
}

// single reports whether these are one call, which is made once for a device.
func (x *inferrer) single(by []site) bool {
	return len(by) == 1 && !x.cg.inLoop(by[0].fn, by[0].block) && !x.cg.repeated(by[0].fn, x.entryFuncs(), map[*ir.Func]bool{}) && !x.manyRun(by[0].fn)
}

// manyRun reports whether an entry that may overlap itself runs f.
func (x *inferrer) manyRun(f *ir.Func) bool {
	return slices.ContainsFunc(x.p.Entries, func(e *ir.Entry) bool { return e.Multi && e.Func != nil && x.cg.reachable(e.Func)[f] })
}

// overlap reports whether some kinds (none: all) and another one have entries in common.
func overlap(kinds []string, k string) bool {
	return len(kinds) == 0 || slices.ContainsFunc(kinds, func(o string) bool {
		return strings.HasPrefix(k, o) || strings.HasPrefix(o, k)
	})
}

// serveElsewhere reports whether a function in a table of some kind has another role.
func (x *inferrer) serveElsewhere(k string) bool {
	for _, e := range x.p.Entries {
		if !strings.HasPrefix(e.Kind, k) {
			continue
		}
		if slices.ContainsFunc(x.roles[e.Func], func(r role) bool { return !strings.HasPrefix(r.kind, k) }) {
			return true
		}
	}
	return false
}

// armed marks what sets up a handler that others start: it does not run before one of
// them has been called. Where none is seen, setting it up is taken to start it.
func (x *inferrer) armed() {
	started := map[string]bool{}
	for _, s := range x.cg.sites {
		if r, ok := s.in.(*ir.Register); ok && r.Fn == nil {
			for _, k := range r.Kinds {
				started[k] = true
			}
		}
	}
	for _, s := range x.cg.sites {
		r, ok := s.in.(*ir.Register)
		if !ok || r.Fn == nil || len(r.Kinds) != 1 || !x.m.CallbackKinds[r.Kinds[0]].Armed || !started[r.Kinds[0]] {
			continue
		}
		r.Kinds = append(slices.Clone(r.Kinds), ir.IdleKind)
		x.p.Assume("armed", r.Pos, "what %s sets up does not run before the program starts it: code that is not seen does not", r.API)
	}
}
