package lockset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whoop/analysis/alias"
	"whoop/ir"
)

// A handler that does not run twice at a time for one object (ir.Entry.Serial: work items, timers) holds a token of that object while it runs: two runs
// that overlap have different ones. For the watched base address there is a token for each entry and each place in the object where what the handler gets may
// lie. A run starts with that of the object that its argument lies in, and keeps it; nobody else has it, so that it orders nothing but the
// runs of one entry.

// maxSerial bounds these tokens. Precision only.
const maxSerial = 32

// What ends the handler of one object (cancel_work_sync, del_timer_sync) in a run that has the object's file for itself (session.go) takes the token over, where the
// handler of an object is started by nobody but its own runs and those that have its file: a second token for each says that. Who takes it over gives it back by starting the
// handler again.

// nonreentrant is what a token of this kind is about.
type nonreentrant struct {
	entry *ir.Entry
	// param is where the entry gets the object, off where that lies behind the watched base.
	param int
	off   int64
	// under is the token of the files, where this one may be taken over.
	under *guard
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
				fn := l.fn(key, "its own object", l.frame(fmt.Sprintf("x:%d", r.Group)), nil, nil)
				fn.pseudo, fn.nonreentrant = "serial", &nonreentrant{entry: e, param: k, off: off}
				out = append(out, inObject(fn, fn.frame, r))
			}
		}
	}
	return out
}

// typedSerials are the tokens of what an address goes through, for structs that have what a handler gets in them.
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
					fn := l.fn(fmt.Sprintf("serial:t:%s:%s:%d+%d", t.Name, e.Name, k, off), "its own object", l.frame("t:"+t.Name), nil, nil)
					fn.pseudo, fn.nonreentrant = "serial", &nonreentrant{entry: e, param: k, off: off}
					l.typed[t] = append(l.typed[t], fn)
				}
			}
		}
	}
}

// placesIn are the places of structs of type s in the objects, or elements, that a region is a part of: none where there are many.
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

// token reports whether a lock function is one that is held alone or not at all.
func (fn *guard) token() bool {
	return fn.pseudo == "own" || fn.pseudo == "serial" || fn.pseudo == "number" || fn.pseudo == "ticket"
}

// startsWith is the condition that a run of an entry starts with a token: its argument lies where the token says.
func (x *instrumenter) startsWith(s *nonreentrant, fr *frame) ir.Expr {
	params := x.seq.Procs[0].Body.Params
	if s.entry != x.entry || s.param >= len(params) { // a function that is not understood has none
		return ir.BoolConst(false)
	}
	arg := asPtr(ir.Use{Reg: params[s.param]})
	return ir.Binary{Op: "land", X: ir.Binary{Op: "ne", X: arg, Y: ir.Null{T: ir.VPtr}}, Y: fr.isBase(offsetFrom(arg, -s.off))}
}

func pointee(t ir.Type) (*ir.Struct, bool) {
	p, ok := t.(ir.Ptr)
	if !ok {
		return nil, false
	}
	s, ok := p.Elem.(*ir.Struct)
	return s, ok
}

// takenOver are the tokens that may be taken over, for those of handlers and of files that are of one frame.
func (l *locks) takenOver(tokens []*guard) []*guard {
	var out []*guard
	for _, s := range tokens {
		for _, t := range tokens {
			if s.frame != t.frame || s.pseudo != "serial" || t.pseudo != "session" || t.session.itself {
				continue
			}
			key := fmt.Sprintf("over:%s:%s:%d+%d:%s+%d", s.frame.key, s.nonreentrant.entry.Name, s.nonreentrant.param, s.nonreentrant.off, t.session.member.s.Name, t.session.member.off)
			fn := l.fn(key, "its own object", s.frame, nil, nil)
			over := *s.nonreentrant
			over.under = t
			fn.pseudo, fn.nonreentrant = "serial", &over
			out = append(out, fn)
		}
	}
	return out
}

// typedTakenOver adds them to the locks of structs.
func (l *locks) typedTakenOver() {
	types := slices.SortedFunc(maps.Keys(l.typed), func(a, b *ir.Struct) int { return strings.Compare(a.Name, b.Name) })
	for _, t := range types {
		l.typed[t] = append(l.typed[t], l.takenOver(l.typed[t])...)
	}
}

// of is the condition that an object that a handler is registered with is the one of the token.
func (fn *guard) of(obj ir.Expr) ir.Expr {
	return fn.frame.isBase(offsetFrom(asPtr(obj), -fn.nonreentrant.off))
}

// ends reports whether an instruction ends the handler of one object that a token is of, and gives it to who does.
func (x *instrumenter) ends(in *ir.Unregister, fn *guard) bool {
	return fn.nonreentrant != nil && fn.nonreentrant.under != nil && in.Obj != nil && len(in.Ends) > 0 && x.entry != fn.nonreentrant.entry && ir.Covers(in.Ends, fn.nonreentrant.entry.Kind) &&
		x.l.initially(fn.nonreentrant.under, x.entry)
}

// takesOver is what a run holds of a token after an instruction that ends or starts the handler of an object; nil where it changes nothing.
func (x *instrumenter) takesOver(in ir.Instr, fn *guard) ir.Expr {
	held := ir.Use{Reg: fn.held[0]}
	switch in := in.(type) {
	case *ir.Unregister:
		if x.ends(in, fn) && x.isActive(fn.nonreentrant.under) {
			own := ir.Binary{Op: "land", X: fn.of(in.Obj), Y: ir.Use{Reg: fn.nonreentrant.under.held[0]}}
			return ir.Binary{Op: "lor", X: held, Y: own}
		}
	case *ir.Register:
		switch {
		case !fn.starts(in) || x.entry == fn.nonreentrant.entry:
		case in.Obj == nil:
			return ir.BoolConst(false)
		default:
			return ir.Binary{Op: "land", X: held, Y: ir.Unary{Op: "lnot", X: fn.of(in.Obj)}}
		}
	}
	return nil
}

// starts reports whether an instruction may start the handler of an object that a token is of.
func (fn *guard) starts(in *ir.Register) bool {
	return fn.nonreentrant != nil && fn.nonreentrant.under != nil && in.Fn == nil && (len(in.Kinds) == 0 || ir.Covers(in.Kinds, fn.nonreentrant.entry.Kind))
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
					if used[fn] && fn.nonreentrant != nil && fn.nonreentrant.under != nil && ir.Covers(u.Ends, fn.nonreentrant.entry.Kind) {
						a := ir.Assumption{Kind: "stopped-callback", Pos: u.Pos, Text: fmt.Sprintf("after %s, no code that is not seen starts %s for that object again", u.API, fn.nonreentrant.entry.Name)}
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

// started are the obligations of an instruction that starts handlers: it is in a run of the object's own handler, or in one that has its file.
func (x *instrumenter) started(in *ir.Register) []check {
	var out []check
	for _, fn := range x.l.list {
		if !fn.starts(in) {
			continue
		}
		var may ir.Expr = ir.BoolConst(false)
		for _, h := range []*guard{fn, fn.nonreentrant.under} {
			if x.isActive(h) {
				may = ir.Binary{Op: "lor", X: may, Y: ir.Use{Reg: h.held[1]}}
			}
		}
		if in.Obj != nil {
			may = ir.Binary{Op: "lor", X: ir.Unary{Op: "lnot", X: fn.of(in.Obj)}, Y: may}
		}
		id := x.candidate()
		x.handovers[id] = fn
		out = append(out, check{id, &ir.Assert{Base: ir.Base{Pos: in.At()}, Cond: may, Tag: "lockset"}})
	}
	return out
}
