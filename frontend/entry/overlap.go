package entry

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// multi marks callbacks that may be set up several times, for several objects: from a
// loop, or by an entry that itself may overlap. The others keep what their kind says, and
// those that are set up several times for one object, where that is allowed.
func (x *inferrer) multi() {
	one := map[*ir.Entry]bool{}
	for _, e := range x.p.Entries {
		if one[e] = x.oneObject(e.Func); one[e] {
			e.Multi = false
		}
	}
	for changed := true; changed; {
		changed = false
		many := map[*ir.Func]bool{}
		for _, e := range x.p.Entries {
			if e.Multi && len(e.Holds) == 0 && !e.Init {
				maps.Copy(many, x.cg.reachable(e.Func))
			}
		}
		for _, e := range x.p.Entries {
			if e.Multi || one[e] {
				continue
			}
			for _, r := range x.roles[e.Func] {
				callback := r.site != nil && (r.table == nil || r.table.Kind != "")
				if callback && (many[r.fn] || x.cg.inLoop(r.fn, x.cg.of[r.site].block) || x.setUpAgain(e.Func, r)) {
					e.Multi, changed = true, true
				}
			}
		}
	}
	for _, e := range x.p.Entries {
		rs := x.roles[e.Func]
		if !e.Multi && !e.Spawned && e.Kind != "main" && !(rs[0].table == nil && (e.Init || e.Exit)) {
			x.p.Assume("one-device", e.Pos, "%s (%s) never overlaps itself: the driver is taken to serve one device", e.Name, e.Kind)
		}
	}
}

// entryFuncs are the functions that entries run.
func (x *inferrer) entryFuncs() map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	for _, e := range x.p.Entries {
		out[e.Func] = true
	}
	return out
}

// lateInit clears Init where a table's init member (probe) does not run before everything
// else: what may run before it registers ordinary entries too.
func (x *inferrer) lateInit() {
	inside := map[*ir.Func]bool{}
	for _, e := range x.p.Entries {
		if e.Init && x.roles[e.Func][0].table != nil {
			maps.Copy(inside, x.cg.reachable(e.Func))
		}
	}
	if !x.earlyOrdinary(inside) {
		return
	}
	for _, e := range x.p.Entries {
		if e.Init && x.roles[e.Func][0].table != nil {
			e.Init = false
		}
	}
}

// earlyOrdinary reports whether something registers ordinary entries that does not wait
// for an init member of a table. Entries wait that only its functions, which are inside,
// make known, or other entries that wait: what they register themselves comes after it.
// Functions that no entry runs are taken to run at any time.
func (x *inferrer) earlyOrdinary(inside map[*ir.Func]bool) bool {
	early, run := map[*ir.Entry]bool{}, map[*ir.Func]bool{}
	add := func(e *ir.Entry) bool {
		if early[e] {
			return false
		}
		early[e] = true
		maps.Copy(run, x.cg.reachable(e.Func))
		return true
	}
	some := map[*ir.Func]bool{}
	for _, e := range x.p.Entries {
		maps.Copy(some, x.cg.reachable(e.Func))
		if !x.ofDevice(e) && (e.Always || e.Spawned || e.Kind == "main" || x.roles[e.Func][0].table == nil && (e.Init || e.Exit) || !x.registeredSomewhere(e)) {
			add(e)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, s := range x.cg.sites {
			r, ok := s.in.(*ir.Register)
			if !ok || slices.Contains(r.Kinds, ir.KeptKind) || inside[s.fn] || some[s.fn] && !run[s.fn] {
				continue
			}
			if r.Fn == nil && x.startsOrdinary(r) {
				return true
			}
			for _, e := range x.p.Entries {
				if !x.ofDevice(e) && x.mayRegister(r, e) && add(e) {
					changed = true
				}
			}
		}
	}
	return false
}

// ofDevice reports whether an entry is a member of a bus driver's table, or of its power
// management: the core calls them for devices that were probed.
func (x *inferrer) ofDevice(e *ir.Entry) bool {
	return !slices.ContainsFunc(x.roles[e.Func], func(r role) bool {
		return r.table == nil || r.table.Kind != "" || !ofBus(r.table)
	})
}

// ofBus reports whether a table is a bus driver's, or that of its power management.
func ofBus(t *models.OpTable) bool {
	return strings.HasSuffix(t.Struct, "_driver") || t.Struct == "dev_pm_ops" || t.Struct == "acpi_device_ops"
}

// registeredSomewhere reports whether some instruction is known to register an entry.
func (x *inferrer) registeredSomewhere(e *ir.Entry) bool {
	return slices.ContainsFunc(x.cg.sites, func(s site) bool {
		r, ok := s.in.(*ir.Register)
		return ok && !slices.Contains(r.Kinds, ir.KeptKind) && x.mayRegister(r, e)
	})
}

// mayRegister reports whether an instruction may make an entry able to run.
func (x *inferrer) mayRegister(r *ir.Register, e *ir.Entry) bool {
	if r.Fn != nil {
		if fs, all := x.cg.values(r.Fn); all {
			return slices.Contains(fs, e.Func)
		}
	}
	return ir.Covers(r.Kinds, e.Kind)
}

// startsOrdinary reports whether r starts an entry that a driver's table of bus
// operations does not hold.
func (x *inferrer) startsOrdinary(r *ir.Register) bool {
	for _, e := range x.p.Entries {
		if e.Init || e.Exit || e.Spawned || e.Kind == "main" || !ir.Covers(r.Kinds, e.Kind) {
			continue
		}
		t := x.roles[e.Func][0].table
		if t != nil && t.Kind == "" && !ofBus(t) {
			return true
		}
	}
	return false
}

// exclusions lists the pairs that the kernel serialises without a lock that Holds could
// name.
func (x *inferrer) exclusions() {
	for i, a := range x.p.Entries {
		for _, b := range x.p.Entries[i:] {
			if a == b && !a.Multi {
				continue
			}
			if reason := x.apart(a, b); reason != "" {
				x.p.Exclusions = append(x.p.Exclusions, ir.Exclusion{A: a.Name, B: b.Name, Reason: reason})
			}
		}
	}
}

// apart returns why no role of a overlaps a role of b, or "".
func (x *inferrer) apart(a, b *ir.Entry) string {
	reason := ""
	for _, r := range x.roles[a.Func] {
		for _, s := range x.roles[b.Func] {
			why := x.serial(r, s)
			if why == "" {
				why = x.oneOf(a.Func, r, b.Func, s)
			}
			if why == "" {
				return ""
			}
			reason = why
		}
	}
	return reason
}

// oneOf says why two roles in different tables do not overlap: both functions serve in
// both tables, as those of one driver for several kinds of devices do, which the kernel
// serialises for each device. With one device, one of the tables is used.
func (x *inferrer) oneOf(f *ir.Func, r role, g *ir.Func, s role) string {
	if r.table == nil || r.table != s.table || r.instance == s.instance {
		return ""
	}
	has := func(f *ir.Func, like role, instance string) bool {
		return slices.ContainsFunc(x.roles[f], func(o role) bool {
			return o.table == like.table && o.member == like.member && o.instance == instance
		})
	}
	if !has(f, r, s.instance) || !has(g, s, r.instance) {
		return ""
	}
	in := s
	in.instance = r.instance
	if x.serial(r, in) == "" {
		return ""
	}
	return fmt.Sprintf("the kernel serialises %s and %s, and the driver is taken to serve one device", r.kind, s.kind)
}

func (x *inferrer) serial(r, s role) string {
	if r.table == nil && s.table == nil && (r.init && s.exit || r.exit && s.init) {
		return "a module is not unloaded while it is being loaded"
	}
	if r.table != nil && r.table == s.table && r.instance == s.instance {
		for _, g := range r.table.Serial {
			if has(g, r.member) && has(g, s.member) && (r.member != s.member || r.notSelf) {
				return fmt.Sprintf("the kernel serialises %s and %s", r.kind, s.kind)
			}
		}
	}
	for _, rule := range x.m.Rules {
		if strings.HasPrefix(r.kind, rule.A) && strings.HasPrefix(s.kind, rule.B) ||
			strings.HasPrefix(r.kind, rule.B) && strings.HasPrefix(s.kind, rule.A) {
			if !x.callsAny(rule.Unless) {
				return rule.Reason
			}
		}
	}
	return ""
}

// noKind is the kind of no entry: an Unregister of it stops nothing.
const noKind = models.NoKind

// together reports whether entries are set up by one call: a handler and its thread,
// which are of different kinds.
func (x *inferrer) together(es []*ir.Entry) bool {
	var first ir.Instr
	for i, e := range es {
		if slices.ContainsFunc(es[:i], func(o *ir.Entry) bool { return o.Kind == e.Kind }) {
			return false
		}
		for _, r := range x.roles[e.Func] {
			switch {
			case len(es) == 1:
			case r.site == nil || r.table != nil || e.Multi:
				return false
			case first == nil:
				first = r.site
			case first.At() != r.site.At() || x.cg.of[first].fn != r.fn:
				return false
			}
		}
	}
	return true
}

// setUpByCalls reports whether only calls, initial values and what sets a device up make
// some functions handlers: no store into an object later on, which mhp would not see.
func (x *inferrer) setUpByCalls(es []*ir.Entry) bool {
	for _, e := range es {
		for _, r := range x.roles[e.Func] {
			if _, ok := r.site.(*ir.Register); !ok && r.site != nil && !x.earlyFuncs()[r.fn] {
				return false
			}
		}
		if len(x.roles[e.Func]) == 0 {
			return false
		}
	}
	return true
}

// narrow makes an Unregister of one object (del_timer_sync) stop nothing where several
// callbacks are of its kind, or one serves several objects: which of them stops is not
// followed. Where it is the only one, that nothing starts it again is an assumption.
func (x *inferrer) narrow() {
	for _, s := range x.cg.sites {
		in, ok := s.in.(*ir.Unregister)
		if !ok || in.Obj == nil || len(in.Kinds) == 0 || x.attribute(in) {
			continue
		}
		var hit []*ir.Entry
		callbacks := false
		for _, e := range x.p.Entries {
			if ir.Covers(in.Kinds, e.Kind) {
				hit = append(hit, e)
				_, known := x.m.CallbackKinds[ir.WithoutPlace(e.Kind)]
				callbacks = callbacks || known
			}
		}
		if !callbacks {
			continue
		}
		if len(hit) > 1 && x.oneByOne(in, hit) {
			x.p.Assume("ended-one-by-one", in.Pos, "each of the calls of %s here ends another handler", in.API)
			continue
		}
		in.ForGood = in.ForGood && x.setUpByCalls(hit)
		if hit[0].Multi || !x.together(hit) || x.objectNames().changes(in.Obj) {
			in.Kinds, in.Ends = []string{noKind}, in.Kinds
			continue
		}
		x.p.Assume("stopped-callback", in.Pos, "after %s, no code that is not seen starts %s again", in.API, hit[0].Name)
	}
	slices.SortStableFunc(x.p.Exclusions, func(a, b ir.Exclusion) int {
		return strings.Compare(a.A+"\x00"+a.B, b.A+"\x00"+b.B)
	})
}
