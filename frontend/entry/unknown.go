package entry

import (
	"fmt"
	"slices"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// Tables that no model knows. A function in a member of a struct that code not seen knows
// may be called by such code at any time, and by several threads, unless it is found to
// be called by the program only: structs of the program's own, which such code never
// gets, are left alone. Programs with a main function are taken to register their
// callbacks by calls.

// unknownTables makes the functions in tables of unknown types entry points.
func (x *inferrer) unknownTables() {
	if main := x.p.FuncByName("main"); main != nil && !main.Extern || x.p.TypeSafe {
		return
	}
	seen := x.interfaceStructs()
	for _, g := range x.p.Globals {
		if g.Extern || x.initcall(g) != "" {
			continue
		}
		for _, c := range g.Init {
			if f := direct(c.Value); f != nil {
				paths(g.Type, c.Offset, 0, nil, func(path []step) bool { return x.unknownMember(path, g.Name, f, c.Pos, seen) })
			}
		}
	}
	for _, s := range x.cg.sites {
		in, ok := s.in.(*ir.Store)
		if !ok || x.replaced(s.fn) {
			continue
		}
		fa, ok := in.Addr.(ir.FieldAddr)
		if !ok || !functionPointer(fa.S.Fields[fa.Index].Type) {
			continue
		}
		fs, _ := x.cg.values(in.Val) // copies come from where they are seen
		for _, f := range fs {
			x.unknownMember([]step{{s: fa.S, index: fa.Index}}, "stores in "+s.fn.Name, f, in.Pos, seen)
		}
	}
}

// unknownMember notes f, which path's last member holds, as an entry point where code not
// seen knows that struct and the models do not.
func (x *inferrer) unknownMember(path []step, instance string, f *ir.Func, at ir.Pos, seen map[*ir.Struct]bool) bool {
	last := path[len(path)-1]
	m := last.s.Fields[last.index]
	if !seen[last.s] || !functionPointer(m.Type) || f.Extern {
		return false
	}
	for _, st := range path {
		if x.m.Tables[structTag(st.s)] != nil {
			return false
		}
	}
	tag := structTag(last.s)
	r := role{kind: tag + "." + m.Name, member: m.Name, instance: tag + ":" + instance}
	text := "struct %s is not known to the models: its function %s may be called at any time, by several threads"
	if t := x.busOf(last.s); t != nil && len(path) == 1 {
		r = x.tableRole(t, m.Name, r.instance, nil, nil)
		text = "struct %s is taken for that of a bus's drivers: the core serialises what sets a device up and ends it (%s)"
	}
	r.private = x.numbers(f, nil)
	x.add(f, r)
	x.p.Assume("entry-point", at, text, tag, f.Name)
	return true
}

// busOf is a table for drivers of a bus that the models do not know: a struct of which the
// name ends in _driver, with functions that begin and end the use of a device. The driver
// core calls these under the device's lock (driver-api/driver-model/driver.rst,
// drivers/base/dd.c). nil for other structs.
func (x *inferrer) busOf(s *ir.Struct) *models.OpTable {
	tag := structTag(s)
	if t, known := x.buses[tag]; known {
		return t
	}
	member := func(name string) bool {
		return slices.ContainsFunc(s.Fields, func(f ir.Field) bool { return f.Name == name && functionPointer(f.Type) })
	}
	var t *models.OpTable
	if strings.HasSuffix(tag, "_driver") && member("probe") && (member("remove") || member("disconnect")) {
		serial := slices.DeleteFunc([]string{"probe", "remove", "disconnect", "shutdown", "suspend", "resume"}, func(n string) bool { return !member(n) })
		t = &models.OpTable{Struct: tag, First: "probe", Init: []string{"probe"}, Exit: []string{"remove", "disconnect"}, NotSelf: serial, Serial: [][]string{serial}}
	}
	if x.buses == nil {
		x.buses = map[string]*models.OpTable{}
	}
	x.buses[tag] = t
	return t
}

// functionPointer reports whether t is a pointer to a function.
func functionPointer(t ir.Type) bool {
	p, ok := t.(ir.Ptr)
	if !ok {
		return false
	}
	_, ok = p.Elem.(ir.FuncType)
	return ok
}

// interfaceStructs are the structs that code not seen knows: those in the types of
// external functions and variables, of what such functions get and return, of entry
// points' parameters, and what these mention.
func (x *inferrer) interfaceStructs() map[*ir.Struct]bool {
	seen, types := map[*ir.Struct]bool{}, map[string]bool{}
	var add func(ir.Type)
	add = func(t ir.Type) {
		switch t := t.(type) {
		case ir.Ptr:
			add(t.Elem)
		case ir.Array:
			add(t.Elem)
		case ir.FuncType:
			if k := fmt.Sprint(t); !types[k] {
				types[k] = true
				add(t.Result)
				for _, p := range t.Params {
					add(p)
				}
			}
		case *ir.Struct:
			if !seen[t] {
				seen[t] = true
				for i := range t.Fields {
					add(t.Fields[i].Type)
				}
			}
		}
	}
	for _, f := range x.p.Funcs {
		if f.Extern || len(x.roles[f]) > 0 {
			add(f.Type())
		}
	}
	for _, g := range x.p.Globals {
		if g.Extern {
			add(g.Type)
		}
	}
	for _, s := range x.p.Handed {
		add(s)
	}
	for _, s := range x.cg.sites {
		// it stands for functions of the program, too
		if strings.HasPrefix(s.fn.Name, ir.OutsideFunc) {
			continue
		}
		switch in := s.in.(type) {
		case *ir.Touch:
			for e := in.Addr; in.Deep && e != nil; {
				add(e.Type())
				c, ok := e.(ir.Cast)
				if !ok {
					break
				}
				e = c.X
			}
		case *ir.Havoc:
			if in.Outside {
				add(in.Dst.Type)
			}
		}
	}
	return seen
}
