package lockset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
)

// A handler that does not run twice at a time for one object (ir.Entry.Serial: work
// items, timers) holds a token of that object while it runs: two runs that overlap have
// different ones. For the watched base address there is a token for each entry and each
// place in the object where what the handler gets may lie. A run starts with that of the
// object that its argument lies in, and keeps it; nobody else has it, so that it orders
// nothing but the runs of one entry.

// maxSerial bounds these tokens. Precision only.
const maxSerial = 32

// What ends the handler of one object (cancel_work_sync, del_timer_sync) in a run that
// has the object's file for itself (session.go) takes the token over, where the handler
// of an object is started by nobody but its own runs and those that have its file: a
// second token for each says that. Who takes it over gives it back by starting the
// handler again.

// nonreentrant is what a token of this kind is about.
type nonreentrant struct {
	entry *ir.Entry
	// param is where the entry gets the object, off where that lies behind the watched
	// base.
	param int
	off   int64
	// under is the token of the files, where this one may be taken over.
	under *guard
	// ender is an entry that ends the handler of single objects and takes their tokens over.
	ender *ir.Entry
}

// serialLocks are the tokens for accesses to region r.
func (l *locks) serialLocks(r *alias.Region) []regionLock {
	var out []regionLock
	for _, e := range l.f.p.Entries {
		if !e.Multi || e.Func == nil {
			continue
		}
		for _, k := range e.Serial {
			s, ok := pointee(e.Func.Params[k].Type)
			if !ok {
				continue
			}
			for _, off := range placesIn(r, s) {
				key := fmt.Sprintf("serial:%d:%s:%d+%d", r.Group, e.Name, k, off)
				if l.fns[key] == nil && l.serials >= maxSerial {
					continue
				}
				if l.fns[key] == nil {
					l.serials++
				}
				fn := l.token(key, "its own object", l.frame(fmt.Sprintf("x:%d", r.Group)), &nonreentrant{entry: e, param: k, off: off})
				out = append(out, inObject(fn, fn.frame, r))
			}
		}
	}
	return out
}

// typedSerials are the tokens of what an address goes through, for structs that have what
// a handler gets in them.
func (l *locks) typedSerials() {
	var types []*ir.Struct
	for _, r := range l.f.watchedRegions() {
		for _, o := range r.Objects {
			t := o.Type
			if a, ok := t.(ir.Array); ok {
				t = a.Elem
			}
			if s, ok := t.(*ir.Struct); ok && !slices.Contains(types, s) {
				types = append(types, s)
			}
		}
	}
	for _, e := range l.f.p.Entries {
		if !e.Multi || e.Func == nil {
			continue
		}
		for _, k := range e.Serial {
			s, ok := pointee(e.Func.Params[k].Type)
			for _, t := range types {
				if !ok {
					break
				}
				places := placesOf(s, t, 0, 0)
				if len(places) == 0 || len(places) > 4 {
					continue
				}
				for _, off := range places {
					if l.serials++; l.serials > maxSerial {
						return
					}
					fn := l.token(fmt.Sprintf("serial:t:%s:%s:%d+%d", t.Name, e.Name, k, off), "its own object", l.frame("t:"+t.Name), &nonreentrant{entry: e, param: k, off: off})
					l.typed[t] = append(l.typed[t], fn)
				}
			}
		}
	}
}

// placesIn are the places of structs of type s in the objects, or elements, that a region
// is a part of: none where there are many.
func placesIn(r *alias.Region, s *ir.Struct) []int64 {
	var out []int64
	seen := map[int64]bool{}
	for _, o := range r.Objects {
		t := o.Type
		if a, ok := t.(ir.Array); ok && r.Elem != 0 && r.ArrayStart == 0 {
			t = a.Elem
		} else if r.Elem != 0 {
			return nil
		}
		for _, off := range placesOf(s, t, 0, 0) {
			if !seen[off] {
				seen[off] = true
				out = append(out, off)
			}
		}
	}
	if len(out) > 4 {
		return nil
	}
	return out
}

func (s *nonreentrant) traits() traits {
	return traits{whole: true, everywhere: s.changes(), hidden: true}
}

// changes reports whether a token may be taken over.
func (s *nonreentrant) changes() bool { return s.under != nil || s.ender != nil }

func (s *nonreentrant) rests() *guard { return s.under }

// initial: a run has the token of the object that its argument lies in.
func (s *nonreentrant) initial(x *instrumenter, g *guard) (full, some ir.Expr) {
	params := x.params()
	if s.entry != x.entry || s.param >= len(params) { // a function that is not understood has none
		return nil, nil
	}
	arg := asPtr(ir.Use{Reg: params[s.param]})
	has := ir.Binary{Op: "land", X: ir.Binary{Op: "ne", X: arg, Y: ir.Null{T: ir.VPtr}}, Y: s.of(g, arg)}
	return has, has
}

// transfers: who ends the handler of an object takes its token over, who starts it again
// gives that back. Who starts it owes that it may: nobody else has ended it.
func (s *nonreentrant) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	switch in := in.(type) {
	case *ir.Unregister:
		if s.ends(x, in) {
			own := s.of(g, in.Obj)
			if s.under != nil {
				own = ir.Binary{Op: "land", X: own, Y: s.under.Has(permission.Full)}
			}
			return []permission.Transfer{{Share: permission.Full, If: own}}
		}
	case *ir.Register:
		if !s.starts(in) || s.ender != nil && x.entry != s.ender && x.entry != s.entry {
			return nil // the ender has no token then
		}
		t := permission.Transfer{Kind: permission.Exhale, Share: permission.Some, Owed: true}
		if x.entry == s.entry {
			t.Kind = permission.Owe
		}
		if s.under != nil && x.isActive(s.under) {
			t.Or = s.under.Has(permission.Some)
		}
		if in.Obj != nil {
			t.If = s.of(g, in.Obj)
		}
		return []permission.Transfer{t}
	}
	return nil
}

func pointee(t ir.Type) (*ir.Struct, bool) {
	p, ok := t.(ir.Ptr)
	if !ok {
		return nil, false
	}
	s, ok := p.Elem.(*ir.Struct)
	return s, ok
}

// takenOver are the tokens that may be taken over, for those of handlers and of files
// that are of one frame.
func (l *locks) takenOver(tokens []*guard) []*guard {
	var out []*guard
	for _, s := range tokens {
		for _, t := range tokens {
			n, serial := theoryOf[*nonreentrant](s)
			f, file := theoryOf[*session](t)
			if s.frame != t.frame || !serial || !file || f.itself {
				continue
			}
			key := fmt.Sprintf("over:%s:%s:%d+%d:%s+%d", s.frame.key, n.entry.Name, n.param, n.off, f.member.s.Name, f.member.off)
			out = append(out, l.token(key, "its own object", s.frame, &nonreentrant{n.entry, n.param, n.off, t, nil}))
		}
		if n, ok := theoryOf[*nonreentrant](s); ok && !n.changes() {
			for _, a := range l.enders(n.entry) {
				key := fmt.Sprintf("end:%s:%s:%d+%d:%s", s.frame.key, n.entry.Name, n.param, n.off, a.Name)
				out = append(out, l.token(key, "its own object", s.frame, &nonreentrant{n.entry, n.param, n.off, nil, a}))
			}
		}
	}
	return out
}

// enders are the entries that may take over the tokens of a handler's objects: they end
// it for single objects, after which nobody else starts it.
func (l *locks) enders(handler *ir.Entry) []*ir.Entry {
	var out []*ir.Entry
	for _, a := range l.f.p.Entries {
		if a == handler || a.Multi || a.Spawned || !l.endsAlone(a, handler) {
			continue
		}
		out = append(out, a)
	}
	return out
}

// endsAlone reports whether an entry ends a handler for single objects, and wherever it
// does nobody else starts the handler from there on.
func (l *locks) endsAlone(a, handler *ir.Entry) bool {
	ends := false
	for _, f := range l.f.reach[a] {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ir.Unregister:
					if in.Obj == nil || len(in.Ends) == 0 || !ir.Covers(in.Ends, handler.Kind) {
						break
					}
					if l.f.mh.Restarts(in, a, handler) {
						return false
					}
					ends = true
				case *ir.Register:
					if in.Fn != nil { // it is not known for which object
						return false
					}
				}
			}
		}
	}
	return ends
}

// typedTakenOver adds them to the locks of structs.
func (l *locks) typedTakenOver() {
	types := slices.SortedFunc(maps.Keys(l.typed), func(a, b *ir.Struct) int { return strings.Compare(a.Name, b.Name) })
	for _, t := range types {
		l.typed[t] = append(l.typed[t], l.takenOver(l.typed[t])...)
	}
}

// of is the condition that an object that a handler is registered with is the one of the
// token.
func (s *nonreentrant) of(g *guard, obj ir.Expr) ir.Expr {
	return g.frame.isBase(offsetFrom(asPtr(obj), -s.off))
}

// ends reports whether an instruction ends the handler of one object that a token is of,
// and gives it to who does.
func (s *nonreentrant) ends(x *instrumenter, in *ir.Unregister) bool {
	return in.Obj != nil && len(in.Ends) > 0 && x.entry != s.entry && ir.Covers(in.Ends, s.entry.Kind) &&
		(s.under != nil && x.begins(s.under) || s.ender == x.entry)
}

// starts reports whether an instruction may start the handler of an object that a token
// is of.
func (s *nonreentrant) starts(in *ir.Register) bool {
	return s.changes() && in.Fn == nil && (len(in.Kinds) == 0 || ir.Covers(in.Kinds, s.entry.Kind))
}

// endAssumptions are those behind tokens that are taken over.
func (j *comparer) endAssumptions(used map[*guard]bool) []ir.Assumption {
	var out []ir.Assumption
	for _, f := range j.f.p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				u, ok := in.(*ir.Unregister)
				if !ok || len(u.Ends) == 0 {
					continue
				}
				for _, fn := range j.l.list {
					if n, ok := theoryOf[*nonreentrant](fn); ok && used[fn] && n.changes() && ir.Covers(u.Ends, n.entry.Kind) {
						a := ir.Assumption{Kind: "stopped-callback", Pos: u.Pos, Text: fmt.Sprintf("after %s, no code that is not seen starts %s for that object again", u.API, n.entry.Name)}
						if !slices.Contains(out, a) {
							out = append(out, a)
						}
					}
				}
			}
		}
	}
	return out
}
