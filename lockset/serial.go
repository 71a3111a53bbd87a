package lockset

import (
	"fmt"
	"slices"

	"whoop/alias"
	"whoop/ir"
)

// A handler that does not run twice at a time for one object (ir.Entry.Serial: work items, timers) holds a token of that object while it runs: two runs
// that overlap have different ones. For the watched base address there is a token for each entry and each place in the object where what the handler gets may
// lie. A run starts with that of the object that its argument lies in, and keeps it; nobody else has it, so that it orders nothing but the
// runs of one entry.

// maxSerial bounds these tokens. Precision only.
const maxSerial = 32

// serving is what a token of this kind is about.
type serving struct {
	entry *ir.Entry
	// param is where the entry gets the object, off where that lies behind the watched base.
	param int
	off   int64
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
				fn.pseudo, fn.serving = "serial", &serving{e, k, off}
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
					fn.pseudo, fn.serving = "serial", &serving{e, k, off}
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
func (fn *lockFn) token() bool { return fn.pseudo == "own" || fn.pseudo == "serial" }

// startsWith is the condition that a run of an entry starts with a token: its argument lies where the token says.
func (x *instrumenter) startsWith(s *serving, fr *frame) ir.Expr {
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
