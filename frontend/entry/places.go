package entry

import (
	"slices"

	"whoop/ir"
)

// Handlers of one kind that belong to different members of a driver's objects: two work
// items, two timers, two requests of a USB device. What stops one of them
// (cancel_work_sync, usb_kill_urb) names the object that it is of. Where each handler of
// a kind has a place of its own, the places become parts of the kinds: work[card.reset]
// and work[card.poll]. One that serves several objects of one place (ir.Entry.Multi) is
// not told from others so: which object is stopped is not followed then.

// place tells where in the program's data an object lies: at an offset of a variable or
// of structs of one type, or where a pointer there leads.
type place struct {
	root   string
	off    int64
	loaded bool
	name   string // for people
}

func (p place) same(q place) bool { return p.root == q.root && p.off == q.off && p.loaded == q.loaded }

// placeOf is the place of what e points to; false where the text does not tell it.
func (x *inferrer) placeOf(e ir.Expr) (place, bool) {
	switch e := e.(type) {
	case ir.Cast:
		return x.placeOf(e.X)
	case ir.GlobalAddr:
		return place{root: "variable " + e.Global.Name, name: e.Global.Name}, true
	case ir.FieldAddr:
		f := e.S.Fields[e.Index]
		p := place{root: e.S.Name, name: structTag(e.S)}
		switch ir.Uncast(e.Base).(type) {
		case ir.IndexAddr: // one of several
			return place{}, false
		case ir.FieldAddr, ir.GlobalAddr:
			var ok bool
			if p, ok = x.placeOf(e.Base); !ok {
				return place{}, false
			}
		}
		p.off += f.Offset
		if f.Name != "" {
			p.name += "." + f.Name
		}
		return p, true
	case ir.Use:
		ds := x.cg.defs[e.Reg]
		if len(ds) != 1 {
			return place{}, false
		}
		switch d := ds[0].(type) {
		case *ir.Assign:
			return x.placeOf(d.X)
		case *ir.Load:
			p, ok := x.placeOf(d.Addr)
			if !ok || p.loaded || !x.constant(p) {
				return place{}, false
			}
			p.loaded = true
			return p, true
		}
	}
	return place{}, false
}

// constant reports whether only functions that set devices up store addresses into the
// pointers at a place. Where that rests on itself, it does not: the nodes of a list are
// found by the pointers in them.
func (x *inferrer) constant(p place) bool {
	p.name = ""
	yes, known := x.constants[p]
	if !known {
		if x.constants == nil {
			x.constants = map[place]bool{}
		}
		x.constants[p] = false
		yes = x.onlyEarly(p)
		x.constants[p] = yes
	}
	return yes
}

// earlyFuncs are the functions that only entries which set devices up run.
func (x *inferrer) earlyFuncs() map[*ir.Func]bool {
	if x.early == nil {
		x.early = map[*ir.Func]bool{}
		for _, e := range x.p.Entries {
			if e.Init {
				for f := range x.cg.reachable(e.Func) {
					x.early[f] = true
				}
			}
		}
		for _, e := range x.p.Entries {
			if !e.Init {
				for f := range x.cg.reachable(e.Func) {
					delete(x.early, f)
				}
			}
		}
	}
	return x.early
}

func (x *inferrer) onlyEarly(p place) bool {
	early := x.earlyFuncs()
	for _, s := range x.cg.sites {
		if st, ok := s.in.(*ir.Store); ok && ir.IsPtr(st.Val.Type()) && !early[s.fn] && !ir.IsNull(st.Val) {
			if q, ok := x.placeOf(st.Addr); ok && q.same(p) {
				return false
			}
		}
	}
	return true
}

// ownPlace is the place of the objects that an entry handles, where it is one: of all its
// roles.
func (x *inferrer) ownPlace(e *ir.Entry) (place, bool) {
	var own place
	for i, r := range x.roles[e.Func] {
		var p place
		ok := false
		if r.site == nil && r.global != "" && r.table != nil {
			p, ok = place{root: "variable " + r.global, off: r.base, name: r.global}, true
		}
		for k, s := range x.setUps(e.Func, r) {
			q, known := place{}, false
			if s.obj != nil {
				q, known = x.placeOf(s.obj)
			}
			if ok = known && (k == 0 || q.same(p)); !ok {
				break
			}
			p = q
		}
		if !ok || i > 0 && !p.same(own) {
			return place{}, false
		}
		own = p
	}
	return own, own.root != ""
}

// setUp is where a function is made the handler of an object.
type setUp struct {
	site
	obj ir.Expr
}

// setUps lists where the program gives a function a role: the role's instruction, or,
// where that is in a helper that gets the function as an argument (usb_fill_int_urb), the
// calls of this.
func (x *inferrer) setUps(f *ir.Func, r role) []setUp {
	at := setUp{site: x.cg.of[r.site]}
	var fn ir.Expr
	switch in := r.site.(type) {
	case *ir.Register:
		fn, at.obj = in.Fn, in.Obj
	case *ir.Store:
		fn, at.obj = in.Val, holding(in.Addr, r.holder)
	default:
		return nil
	}
	k, ok := x.parameterOf(r.fn, fn)
	if !ok || x.cg.taken[r.fn] {
		return []setUp{at}
	}
	var out []setUp
	for _, c := range x.cg.calls[r.fn] {
		s := setUp{site: c}
		if call, ok := c.in.(*ir.Call); ok && k < len(call.Args) {
			if fs, all := x.cg.values(call.Args[k]); all && !slices.Contains(fs, f) {
				continue
			}
			if o, ok := x.parameterOf(r.fn, at.obj); ok && o < len(call.Args) {
				s.obj = call.Args[o]
			}
		}
		out = append(out, s)
	}
	return out
}

// parameterOf tells which parameter of a function an expression is.
func (x *inferrer) parameterOf(f *ir.Func, e ir.Expr) (int, bool) {
	for e != nil {
		use, ok := ir.Uncast(e).(ir.Use)
		if !ok {
			return 0, false
		}
		ds := x.cg.defs[use.Reg]
		if q := x.cg.param[use.Reg]; q.fn == f && len(ds) == 0 {
			return q.index, true
		}
		if len(ds) != 1 {
			return 0, false
		}
		a, ok := ds[0].(*ir.Assign)
		if !ok {
			return 0, false
		}
		e = a.X
	}
	return 0, false
}

// oneObject reports whether all that makes a function a handler does so for one object,
// which may be set up again.
func (x *inferrer) oneObject(f *ir.Func) bool {
	is := ""
	for _, r := range x.roles[f] {
		if !r.notSelf || !x.m.CallbackKinds[r.kind].Again {
			return false
		}
		ss := x.setUps(f, r)
		for _, s := range ss {
			c := x.objectNames().class(s.obj)
			if c == "" || is != "" && c != is {
				return false
			}
			is = c
		}
	}
	return is != ""
}

// holding is the address of the struct of a type that the member at an address is in.
func holding(e ir.Expr, s *ir.Struct) ir.Expr {
	for {
		fa, ok := ir.Uncast(e).(ir.FieldAddr)
		if !ok {
			return e
		}
		e = fa.Base
		if fa.S == s {
			return e
		}
	}
}

// byPlace divides the kinds of handlers of which single ones are stopped by the places of
// their objects.
func (x *inferrer) byPlace() {
	kinds := map[string][]*ir.Entry{}
	var order []string
	for _, e := range x.p.Entries {
		if _, known := x.m.CallbackKinds[e.Kind]; known {
			if kinds[e.Kind] == nil {
				order = append(order, e.Kind)
			}
			kinds[e.Kind] = append(kinds[e.Kind], e)
		}
	}
	for _, k := range order {
		places := x.apartBy(kinds[k])
		if places == nil {
			continue
		}
		for i, e := range kinds[k] {
			e.Kind = ir.AtPlace(k, places[i].name)
		}
		at := func(fn *ir.Func, obj ir.Expr, of []string) []string {
			if obj == nil || !slices.Equal(of, []string{k}) {
				return of
			}
			if i := x.handling(fn, obj, kinds[k]); i >= 0 {
				return []string{kinds[k][i].Kind}
			}
			if p, ok := x.placeOf(obj); ok && !x.objectNames().changes(obj) {
				if i := slices.IndexFunc(places, p.same); i >= 0 {
					return []string{kinds[k][i].Kind}
				}
			}
			return of
		}
		different := x.different(places)
		for _, s := range x.cg.sites {
			switch in := s.in.(type) {
			case *ir.Unregister:
				in.Kinds = at(s.fn, in.Obj, in.Kinds)
			case *ir.Register: // which starts the handler of that object, and no other
				if in.Fn == nil && different {
					in.Kinds = at(s.fn, in.Obj, in.Kinds)
				}
			}
		}
	}
}

// handling is which of some entries a function is that gets the object e as the one that
// it is called for (a handler that starts itself again); -1 where it is none, or may be
// called with others.
func (x *inferrer) handling(f *ir.Func, e ir.Expr, es []*ir.Entry) int {
	i := slices.IndexFunc(es, func(e *ir.Entry) bool { return e.Func == f })
	if i < 0 || len(x.cg.calls[f]) > 0 {
		return -1
	}
	own, ok := x.objectOf(es[i])
	if k, is := x.parameterOf(f, e); !ok || !is || k != own {
		return -1
	}
	return i
}

// different reports whether what lies at several places are different objects: other
// members of one struct or variable, or memory from other calls.
func (x *inferrer) different(places []place) bool {
	from := map[*ir.Alloc]bool{}
	for _, p := range places {
		if p.loaded != places[0].loaded || !p.loaded && p.root != places[0].root {
			return false
		}
		if !p.loaded {
			continue
		}
		own, ok := x.allocations(p)
		if !ok {
			return false
		}
		for _, a := range own {
			if from[a] {
				return false
			}
			from[a] = true
		}
	}
	return true
}

// allocations are those of which the results are stored in the pointers at a place; false
// where something else is.
func (x *inferrer) allocations(p place) (out []*ir.Alloc, ok bool) {
	p.loaded = false
	for _, s := range x.cg.sites {
		st, isStore := s.in.(*ir.Store)
		if !isStore || !ir.IsPtr(st.Val.Type()) || ir.IsNull(st.Val) {
			continue
		}
		if q, ok := x.placeOf(st.Addr); !ok || !q.same(p) {
			continue
		}
		a := x.allocated(st.Val)
		if a == nil {
			return nil, false
		}
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out, true
}

// allocated is the instruction of which e is the result, nil where the text does not tell
// it.
func (x *inferrer) allocated(e ir.Expr) *ir.Alloc {
	u, ok := ir.Uncast(e).(ir.Use)
	if !ok || len(x.cg.defs[u.Reg]) != 1 {
		return nil
	}
	switch d := x.cg.defs[u.Reg][0].(type) {
	case *ir.Alloc:
		return d
	case *ir.Assign:
		return x.allocated(d.X)
	}
	return nil
}

// apartBy are the places of the objects of entries of one kind: nil where these are not
// all known and different.
func (x *inferrer) apartBy(es []*ir.Entry) []place {
	if len(es) < 2 {
		return nil
	}
	var out []place
	for _, e := range es {
		p, ok := x.ownPlace(e)
		if !ok || slices.ContainsFunc(out, p.same) || slices.ContainsFunc(out, func(q place) bool { return q.name == p.name }) {
			return nil
		}
		out = append(out, p)
	}
	return out
}
