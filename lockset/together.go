package lockset

import (
	"whoop/ir"
)

// Arguments of a thread that lie in one object: `go count(&s.wg, &s.n)`. Where every start
// of a thread's function passes, as two of its arguments, addresses of members of one
// object, always the same two, the distance between them is one number. The thread takes
// that for granted when it begins. So a lock that it knows by the one argument is that of
// the object that it accesses by the other one.
//
// That holds since nothing else runs the entry point: its parameters come from a spawn
// that names the function. A spawn of a value that is not named may run it, too; then
// nothing is taken for granted.

// Where each start passes a member of an object as the first argument, always the same
// one, the object is what the thread gets (own.go): the token that moves is that of the
// address which is so far in front of the argument, at the start and in the thread alike.
// (Not in programs with joins, which give back what they know by the argument.)

// apart is how far two parameters of a thread's function are from each other: first is at
// second+by.
type apart struct {
	first, second int
	by            int64
}

// findApart finds the parameters of threads that lie in one object.
func (l *locks) findApart() {
	l.apart, l.into = map[*ir.Entry][]apart{}, map[*ir.Func]int64{}
	l.findGiven()
	starts, named := map[*ir.Func][]*ir.Spawn{}, true
	registered, joins := map[*ir.Func]bool{}, false
	for _, in := range l.f.p.Instrs() {
		switch in := in.(type) {
		case *ir.Spawn:
			f := ir.FuncOf(in.Fn)
			named = named && f != nil
			starts[f] = append(starts[f], in)
		case *ir.Join:
			joins = true
		case *ir.Register:
			registered[ir.FuncOf(in.Fn)] = registered[ir.FuncOf(in.Fn)] || in.Fn != nil
		}
	}
	if !named || registered[nil] {
		return
	}
	for _, e := range l.f.p.Entries {
		if e.Spawned && e.Func != nil && !registered[e.Func] {
			l.apart[e] = distances(e.Func, starts[e.Func])
			if off, ok := within(starts[e.Func]); ok && !joins {
				l.into[e.Func] = off
			}
		}
	}
}

// findGiven finds the spawns that pass what one allocation has made. A token of other
// objects is not concerned.
func (l *locks) findGiven() {
	l.gives = map[ir.Instr]*ir.Alloc{}
	for _, f := range l.f.p.Funcs {
		var defs map[*ir.Reg][]ir.Instr
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				sp, ok := in.(*ir.Spawn)
				if !ok || len(sp.Args) == 0 {
					continue
				}
				r, _, ok := memberOf(sp.Args[0])
				if defs == nil {
					defs = defsIn(f)
				}
				if ok && len(defs[r]) == 1 {
					if a, ok := defs[r][0].(*ir.Alloc); ok {
						l.gives[in] = a
					}
				}
			}
		}
	}
}

// defsIn are the instructions that set the registers of a function; parameters count.
func defsIn(f *ir.Func) map[*ir.Reg][]ir.Instr {
	out := map[*ir.Reg][]ir.Instr{}
	for _, p := range f.Params {
		out[p] = append(out[p], nil)
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, r := range ir.Defs(in) {
				out[r] = append(out[r], in)
			}
		}
	}
	return out
}

// within is the offset of the first argument of some starts in an object, where it is one
// for all of them.
func within(starts []*ir.Spawn) (off int64, ok bool) {
	for i, sp := range starts {
		if len(sp.Args) == 0 {
			return 0, false
		}
		_, at, member := memberOf(sp.Args[0])
		if !member || i > 0 && at != off {
			return 0, false
		}
		off = at
	}
	return off, true
}

// distances are those between parameters of a function that all its starts agree about.
func distances(f *ir.Func, starts []*ir.Spawn) []apart {
	var out []apart
	for j := range f.Params {
		for i := range j {
			var d *apart
			for _, sp := range starts {
				by, ok := distance(sp, i, j)
				if !ok || d != nil && d.by != by {
					d = nil
					break
				}
				d = &apart{i, j, by}
			}
			if d != nil && ir.IsPtr(f.Params[i].Type) && ir.IsPtr(f.Params[j].Type) {
				out = append(out, *d)
				break // the others follow
			}
		}
	}
	return out
}

// distance is how far argument i of a spawn is behind argument j, where both are members
// of what one register leads to.
func distance(sp *ir.Spawn, i, j int) (int64, bool) {
	if i >= len(sp.Args) || j >= len(sp.Args) {
		return 0, false
	}
	a, off, ok := memberOf(sp.Args[i])
	b, other, also := memberOf(sp.Args[j])
	return off - other, ok && also && a == b
}

// memberOf is the register that an address is computed from, and the offset from there.
func memberOf(e ir.Expr) (*ir.Reg, int64, bool) {
	switch e := e.(type) {
	case ir.Use:
		return e.Reg, 0, ir.IsPtr(e.Reg.Type)
	case ir.FieldAddr:
		r, off, ok := memberOf(e.Base)
		return r, off + e.S.Fields[e.Index].Offset, ok
	case ir.Cast:
		if ir.IsPtr(e.T) && ir.IsPtr(e.X.Type()) {
			return memberOf(e.X)
		}
	}
	return nil, 0, false
}

// atDistance is what is taken for granted of the parameters where a thread begins.
func (x *instrumenter) atDistance() []ir.Instr {
	var out []ir.Instr
	params := x.params()
	for _, d := range x.l.apart[x.entry] {
		if d.first >= len(params) || d.second >= len(params) {
			continue // a function that is not understood has none
		}
		first, second := ir.Use{Reg: params[d.first]}, ir.Use{Reg: params[d.second]}
		out = append(out, &ir.Assume{Base: ir.Base{Pos: x.entry.Pos}, Cond: ir.Binary{Op: "eq",
			X: asPtr(first), Y: offsetFrom(asPtr(second), d.by)}})
	}
	return out
}
