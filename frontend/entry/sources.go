package entry

import (
	"maps"
	"slices"

	"whoop/ir"
)

// Where the objects of each struct type come from: variables, and allocations. An
// allocation counts where its result gets a type: in the function that calls kzalloc, not
// in kmalloc, which returns memory of any type.

// findSources looks for the objects of each struct type.
func (o *objects) findSources() {
	o.casts()
	for _, g := range o.x.p.Globals {
		o.source(g.Type, source{root: "variable " + g.Name})
	}
	runs := map[*ir.Func]bool{}
	for _, e := range o.x.p.Entries {
		maps.Copy(runs, o.x.cg.reachable(e.Func))
	}
	for _, s := range o.x.cg.sites {
		a, ok := s.in.(*ir.Alloc)
		if !ok || !runs[s.fn] {
			continue
		}
		if t, ok := a.Elem.(ir.Int); ok && t.Bits == 8 {
			m := memory{o: o, runs: runs, seen: map[*ir.Reg]bool{}, types: map[typed]bool{}}
			m.follow(a.Dst, a.Count, s)
			o.untyped = o.untyped || !m.typed && !m.bytes && m.away
			continue
		}
		t, ok := elem(a.Elem).(*ir.Struct)
		if !ok {
			continue
		}
		_, array := a.Elem.(ir.Array)
		// devm_kmalloc, ... say how many bytes: one object, or an array at its end
		o.source(t, source{root: t.Name, many: array || a.Bytes == nil && !one(a.Count) || o.runsAgain(s)})
	}
}

// one reports whether e is the number one.
func one(e ir.Expr) bool {
	k, ok := e.(ir.Const)
	return e == nil || ok && k.Val.IsInt64() && k.Val.Int64() == 1
}

// memory follows the result of an allocation of bytes to where it gets a type.
type memory struct {
	o     *objects
	runs  map[*ir.Func]bool
	seen  map[*ir.Reg]bool
	types map[typed]bool
	// typed: somewhere it has; bytes: it is bytes; away: it is used somewhere without.
	typed, bytes, away bool
}

// typed is an allocation by the instruction that has its result, with a type.
type typed struct {
	in ir.Instr
	t  *ir.Struct
}

// follow follows what a register has; size is how many bytes, where that is known, s is
// the instruction that the function gets it from.
func (m *memory) follow(r *ir.Reg, size ir.Expr, s site) {
	if r == nil || m.seen[r] {
		return
	}
	m.seen[r] = true
	is := func(e ir.Expr) bool {
		if e == nil {
			return false
		}
		u, ok := ir.Uncast(e).(ir.Use)
		return ok && u.Reg == r
	}
	for in := range s.fn.Instrs() {
		switch in := in.(type) {
		case *ir.Assign:
			if is(in.X) && !m.as(in.X.Type(), size, s) {
				m.follow(in.Dst, size, s)
			}
		case *ir.Store:
			if is(in.Val) && !m.as(in.Val.Type(), size, s) {
				m.away = true
			}
		case *ir.Call:
			if slices.ContainsFunc(in.Args, func(a ir.Expr) bool { return is(a) && !m.as(a.Type(), size, s) }) {
				m.away = true
			}
		}
	}
	for _, b := range s.fn.Blocks {
		ret, ok := b.Term.(*ir.Return)
		if !ok || ret.Val == nil || !is(ret.Val) || m.as(ret.Val.Type(), size, s) {
			continue
		}
		if m.o.x.cg.taken[s.fn] {
			m.away = true
		}
		k, passed := m.o.x.parameterOf(s.fn, size)
		for _, c := range m.o.x.cg.calls[s.fn] {
			if !m.runs[c.fn] {
				continue
			}
			call, ok := c.in.(*ir.Call)
			if !ok {
				m.away = true
				continue
			}
			n := size
			switch _, known := size.(ir.Const); {
			case passed && k < len(call.Args):
				n = call.Args[k]
			case !known:
				n = nil
			}
			m.follow(call.Dst, n, c)
		}
	}
}

// as notes that the memory has a type, where this is a pointer to one.
func (m *memory) as(t ir.Type, size ir.Expr, s site) bool {
	p, ok := t.(ir.Ptr)
	if !ok {
		return false
	}
	switch t := p.Elem.(type) {
	case *ir.Struct:
		m.typed = true
		if m.types[typed{s.in, t}] {
			return true
		}
		m.types[typed{s.in, t}] = true
		k, known := size.(ir.Const)
		several := !known || !k.Val.IsInt64() || k.Val.Int64() >= 2*t.Size()
		m.o.source(t, source{root: t.Name, many: several || m.o.runsAgain(s)})
		return true
	case ir.Int:
		if t.Bits == 8 {
			m.bytes = true // which may be taken for something else (cast)
			return false
		}
		m.typed = true
		return true
	}
	return false
}

// casts notes the struct types that bytes are taken for.
func (o *objects) casts() {
	for _, s := range o.x.cg.sites {
		for _, e := range ir.Operands(s.in) {
			if e == nil {
				continue
			}
			ir.WalkExpr(e, func(e ir.Expr) bool {
				if c, ok := e.(ir.Cast); ok && isBytes(c.X.Type()) {
					if p, ok := c.T.(ir.Ptr); ok {
						if t, ok := p.Elem.(*ir.Struct); ok {
							o.bytes[t] = true
						}
					}
				}
				return true
			})
		}
	}
}

// isBytes reports whether t is a pointer to bytes.
func isBytes(t ir.Type) bool {
	p, ok := t.(ir.Ptr)
	if !ok {
		return false
	}
	b, ok := p.Elem.(ir.Int)
	return ok && b.Bits == 8
}

// elem is what an array has.
func elem(t ir.Type) ir.Type {
	for {
		a, ok := t.(ir.Array)
		if !ok {
			return t
		}
		t = a.Elem
	}
}
