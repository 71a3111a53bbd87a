package entry

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// step is one member access on the way from a global's start to a cell.
type step struct {
	s     *ir.Struct
	index int
	base  int64 // offset of the struct in the global
}

// globals finds function addresses in initialised operation tables, and load and unload
// functions.
func (x *inferrer) globals() {
	for _, g := range x.p.Globals {
		what := x.initcall(g)
		for _, c := range g.Init {
			f := direct(c.Value)
			switch {
			case f == nil:
			case what != "":
				x.add(f, role{kind: what, init: what == "init", exit: what == "exit", notSelf: true, instance: g.Name})
			default:
				x.cell(g, c.Offset, f)
			}
		}
	}
	for _, n := range []struct{ name, what string }{{"init_module", "init"}, {"cleanup_module", "exit"}} {
		if f := x.p.FuncByName(n.name); f != nil && len(x.roles[f]) == 0 {
			x.add(f, role{kind: n.what, init: n.what == "init", exit: n.what == "exit", notSelf: true, instance: n.name})
		}
	}
	// module_init leaves a function that returns the load function, where the compiler
	// checks its type.
	for _, n := range []struct{ name, what string }{{"__inittest", "init"}, {"__exittest", "exit"}} {
		f := x.p.FuncByName(n.name)
		if f == nil {
			continue
		}
		for _, b := range f.Blocks {
			r, ok := b.Term.(*ir.Return)
			if !ok || r.Val == nil {
				continue
			}
			fs, _ := x.cg.values(r.Val)
			for _, g := range fs {
				if len(x.roles[g]) == 0 {
					x.add(g, role{kind: n.what, init: n.what == "init", exit: n.what == "exit", notSelf: true, instance: n.name})
				}
			}
		}
	}
}

// initcall says whether a variable holds a load or unload function: "init", "exit" or "".
func (x *inferrer) initcall(g *ir.Global) string {
	best := ""
	for _, p := range slices.Sorted(maps.Keys(x.m.Initcalls)) {
		if strings.HasPrefix(g.Name, p) && len(p) > len(best) {
			best = p
		}
	}
	return x.m.Initcalls[best]
}

// cell looks whether the address of f at offset off of g fills a member of an operation
// table.
func (x *inferrer) cell(g *ir.Global, off int64, f *ir.Func) {
	paths(g.Type, off, 0, nil, func(path []step) bool {
		for i := len(path) - 1; i >= 0; i-- {
			if x.fill(path[i:], f, fmt.Sprintf("%s+%d", g.Name, path[i].base), nil, nil) {
				if rs := x.roles[f]; len(rs) > 0 {
					rs[len(rs)-1].global, rs[len(rs)-1].base = g.Name, path[i].base
				}
				return true
			}
		}
		return false
	})
}

// paths calls visit with the chains of members that lead to the cell at off, until it
// returns true: several in unions.
func paths(t ir.Type, off, base int64, path []step, visit func([]step) bool) bool {
	switch s := t.(type) {
	case ir.Array:
		n := s.Elem.Size()
		if n == 0 {
			return false
		}
		return paths(s.Elem, off%n, base+off/n*n, path, visit)
	case *ir.Struct:
		for i, m := range s.Fields {
			size := max(m.Type.Size(), 1)
			if a, ok := m.Type.(ir.Array); ok && a.Len == 0 {
				size = off - m.Offset + 1 // a flexible array: the rest of the object
			}
			if off < m.Offset || off >= m.Offset+size {
				continue
			}
			next := append(path[:len(path):len(path)], step{s, i, base})
			if paths(m.Type, off-m.Offset, base+m.Offset, next, visit) {
				return true
			}
		}
		return false
	}
	return len(path) > 0 && visit(path)
}

// structTag is the C tag of a struct: front ends number different structs of one tag.
func structTag(s *ir.Struct) string {
	tag, _, _ := strings.Cut(s.Name, "#")
	return strings.TrimPrefix(tag, "struct ")
}

// fill notes f as a member of the table that path begins at, if it is one; the member may
// lie deeper, in an anonymous struct or union.
func (x *inferrer) fill(path []step, f *ir.Func, instance string, in ir.Instr, fn *ir.Func) bool {
	t := x.m.Tables[structTag(path[0].s)]
	if t == nil {
		return false
	}
	for i, st := range path {
		m := st.s.Fields[st.index].Name
		if m == "" || has(t.Ignore, m) {
			continue
		}
		if slices.Contains(t.Entry, m) || i == len(path)-1 {
			r := x.tableRole(t, m, t.Struct+":"+instance, in, fn)
			r.holder = path[0].s
			for _, st := range path {
				r.off += st.s.Fields[st.index].Offset
			}
			if t.Kind == "" {
				r.private = append(slices.Clone(r.private), x.numbers(f, r.private)...)
			}
			x.add(f, r)
			return true
		}
	}
	return false
}

// numbers are the parameters that point to numbers, to pointers, or to structs of
// arguments and results, those in known left out: variables and buffers of the caller.
func (x *inferrer) numbers(f *ir.Func, known []int) (out []int) {
	for i, q := range f.Params {
		p, ok := q.Type.(ir.Ptr)
		if ok && !slices.Contains(known, i) && (ir.IsInt(p.Elem) || pointerVariable(p.Elem) || x.ofCaller(p.Elem)) {
			out = append(out, i)
		}
	}
	if len(out) > 0 && !slices.ContainsFunc(x.p.Assumptions, func(a ir.Assumption) bool { return a.Kind == "caller-memory" }) {
		x.p.Assume("caller-memory", f.Pos, "numbers and pointers that parameters of functions in operation tables point to, and structs that the kernel makes to pass arguments (ethtool_drvinfo, ...), belong to the call")
	}
	return out
}

// argumentStructs are the parameters that point to structs of arguments and results.
func (x *inferrer) argumentStructs(f *ir.Func) (out []int) {
	for i, q := range f.Params {
		if p, ok := q.Type.(ir.Ptr); ok && x.ofCaller(p.Elem) {
			out = append(out, i)
		}
	}
	return out
}

// pointerVariable reports whether t is a pointer to data.
func pointerVariable(t ir.Type) bool { return ir.IsPtr(t) && !functionPointer(t) }

// ofCaller reports whether t is a struct that the kernel makes for one call.
func (x *inferrer) ofCaller(t ir.Type) bool {
	s, ok := t.(*ir.Struct)
	return ok && x.m.CallerStructs[strings.TrimPrefix(structTag(s), "union ")]
}

func (x *inferrer) tableRole(t *models.OpTable, m, instance string, in ir.Instr, fn *ir.Func) role {
	r := role{kind: t.Struct + "." + m, member: m, table: t, instance: instance, init: has(t.Init, m), exit: has(t.Exit, m),
		notSelf: has(t.NotSelf, m), always: t.Always, private: t.Private[m], site: in, fn: fn}
	if t.Kind != "" {
		r.kind = t.Kind
		k := x.m.CallbackKinds[t.Kind]
		r.notSelf, r.holds = r.notSelf || k.NotSelf, slices.Clone(k.Holds)
	}
	for _, lock := range slices.Sorted(maps.Keys(t.Holds)) {
		if has(t.Holds[lock], m) {
			r.holds = append(r.holds, lock)
		}
	}
	return r
}

// code finds members filled by assignments, and callbacks that are registered.
func (x *inferrer) code() {
	for _, s := range x.cg.sites {
		if x.replaced(s.fn) {
			continue
		}
		switch in := s.in.(type) {
		case *ir.Store:
			x.store(s, in)
		case *ir.Register:
			if in.Fn != nil && len(in.Kinds) > 0 {
				x.callback(s, in)
			}
		}
	}
}

// replaced reports whether nothing runs the body of f: its calls do what its model says
// (usb_fill_bulk_urb, an inline function of the kernel's headers).
func (x *inferrer) replaced(f *ir.Func) bool {
	return x.m.Func(f.Name) != nil && len(x.cg.calls[f]) == 0 && !x.cg.taken[f]
}

// store notes what is stored into a member of an operation table.
func (x *inferrer) store(s site, in *ir.Store) {
	var path []step
	for e := in.Addr; e != nil; {
		switch a := e.(type) {
		case ir.FieldAddr:
			path = append([]step{{s: a.S, index: a.Index}}, path...)
			e = a.Base
			continue
		case ir.IndexAddr:
			e = a.Base
			continue
		}
		break
	}
	if len(path) == 0 || !x.callable(path) {
		return
	}
	fs, all := x.cg.values(in.Val)
	if !all && !x.copied(in.Val) {
		fs = x.cg.candidates(in.Val.Type())
		last := path[len(path)-1]
		x.p.Assume("entry-point", in.Pos, "which function is stored in %s.%s is not known here: every function whose address is "+
			"taken and whose parameters fit is taken to be an entry point (%d of them)", last.s.Name, last.s.Fields[last.index].Name, len(fs))
	}
	for _, f := range fs {
		for i := len(path) - 1; i >= 0; i-- {
			if x.fill(path[i:], f, "stores in "+s.fn.Name, in, s.fn) {
				break
			}
		}
	}
}

// callable reports whether path leads to a function pointer in some operation table.
func (x *inferrer) callable(path []step) bool {
	last := path[len(path)-1]
	p, ok := last.s.Fields[last.index].Type.(ir.Ptr)
	if !ok {
		return false
	}
	if _, ok := p.Elem.(ir.FuncType); !ok {
		return false
	}
	return slices.ContainsFunc(path, func(st step) bool { return x.m.Tables[structTag(st.s)] != nil })
}

// copied reports whether e is what was loaded from a struct's member: a copy of a table,
// whose origin is seen elsewhere.
func (x *inferrer) copied(e ir.Expr) bool {
	switch e := e.(type) {
	case ir.Cast:
		return x.copied(e.X)
	case ir.Use:
		ds := x.cg.defs[e.Reg]
		return len(ds) > 0 && !slices.ContainsFunc(ds, func(d ir.Instr) bool {
			l, ok := d.(*ir.Load)
			if !ok {
				return true
			}
			fa, ok := l.Addr.(ir.FieldAddr)
			return !ok || x.m.Tables[structTag(fa.S)] == nil
		})
	}
	return false
}

// callback notes the function that a Register makes an entry point.
func (x *inferrer) callback(s site, in *ir.Register) {
	fs, all := x.cg.values(in.Fn)
	if main := x.p.FuncByName("main"); !all && x.opt.Loaded && main != nil && !main.Extern {
		return
	}
	if !all {
		fs = x.cg.candidates(in.Fn.Type())
		x.p.Assume("callback-target", in.Pos, "which function %s makes a callback is not known here: every function whose address "+
			"is taken and whose parameters fit is taken to be one (%d of them)", in.API, len(fs))
	}
	k := x.m.CallbackKinds[in.Kinds[0]]
	for _, f := range fs {
		x.add(f, role{kind: in.Kinds[0], instance: in.API, private: x.argumentStructs(f), notSelf: k.NotSelf && all && (len(fs) == 1 || x.fromParameter(s.fn, in) != nil),
			holds: slices.Clone(k.Holds), site: in, fn: s.fn})
	}
}
