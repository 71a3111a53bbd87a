package c

import (
	"math/big"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/frontend/models"
	"whoop/ir"
)

// Registration by name. A function of the kernel that no model describes, and of which
// the name has the word "register" or "add", makes known what it is given: from there on
// the functions in it, and in the tables that it leads to, may run. Until then they do
// not. That is how the kernel's interfaces are written: "allocate, fill in, register"
// (Documentation/driver-api/infrastructure.rst; driver-model/driver.rst;
// input/input-programming.rst). The function whose name differs in this word alone
// (rc_register_device, rc_unregister_device; memstick_add_host, memstick_remove_host)
// ends it, and waits for what runs (driver-api/driver-model/device.rst). Both are listed
// as the assumption registration.
//
// Kinds of entries are told by types: those of the struct that an argument points to, of
// structs in it, and of tables that its members point to. What ends is less: package
// entry keeps the kinds that nothing else registers (named.go).

// tablesIn adds the names of the structs with functions that t has in it, or that its
// members point to.
func (pr *program) tablesIn(t *ir.Struct, out *[]string) {
	tag := tagOf(t)
	if tag == "device" || tag == "kobject" || tag == "module" || slices.Contains(*out, tag+".") {
		return // what the driver core has there is registered with the driver
	}
	if m := pr.m.Tables[tag]; m != nil && m.Kind != "" {
		return // work items and the like: others start them
	}
	if callsDirectly(t) {
		*out = append(*out, tag+".")
	}
	for _, f := range t.Fields {
		switch x := f.Type.(type) {
		case *ir.Struct:
			pr.tablesIn(x, out)
		case ir.Ptr:
			if s, ok := x.Elem.(*ir.Struct); ok && callsDirectly(s) && s != t && !ofCore(s) {
				pr.tablesIn(s, out)
			}
		}
	}
}

// ofCore reports whether a table belongs to the driver that a device has, or to its bus.
func ofCore(t *ir.Struct) bool {
	tag := tagOf(t)
	return strings.HasSuffix(tag, "_driver") || slices.Contains([]string{"bus_type", "class", "dev_pm_ops", "device_type"}, tag)
}

// callsDirectly reports whether a struct has functions among its members.
func callsDirectly(t *ir.Struct) bool {
	return slices.ContainsFunc(t.Fields, func(f ir.Field) bool {
		p, ok := f.Type.(ir.Ptr)
		if !ok {
			return false
		}
		_, ok = p.Elem.(ir.FuncType)
		return ok
	})
}

// tablesOf are the tables of what a call gets.
func (pr *program) tablesOf(vs []ir.Expr) []string {
	var out []string
	for _, v := range vs {
		if p, ok := ir.Uncast(v).Type().(ir.Ptr); ok {
			if s, ok := p.Elem.(*ir.Struct); ok {
				pr.tablesIn(s, &out)
			}
		}
	}
	return out
}

// endsByName notes that a call of a function that is not seen ends what is registered, by its
// name. What the call does itself comes after that.
func (l *lowerer) endsByName(x *cc.PostfixExpression, name string, vs []ir.Expr) {
	if _, _, ends := models.Stem(name); ends && l.core() && !models.Managed(name) {
		l.emit(&ir.Unregister{Base: at(x), API: name, Kinds: []string{models.NoKind}, Of: madeKnown(vs, nil)})
	}
}

// startsByName notes that such a call registers what it is given, where v, its result, is
// zero: the name of the function is an action, so that it returns an error code
// (process/coding-style.rst, 16). What the call does itself comes before that.
func (l *lowerer) startsByName(x *cc.PostfixExpression, name string, vs []ir.Expr, v ir.Expr) {
	_, starts, ends := models.Stem(name)
	if ends || !l.core() {
		return
	}
	if !starts {
		l.handsOver(x, name, vs)
		return
	}
	kinds := l.tablesOf(vs)
	if len(kinds) == 0 {
		return
	}
	l.warn("registration", x, name, "%s makes known what it is given, and has accessed it before; it returns 0 where it worked. Functions in %s run from there on, until it is taken back", name, strings.Join(kinds, ", "))
	r := &ir.Register{Base: at(x), API: name, Kinds: kinds, Of: madeKnown(vs, v)}
	if models.Managed(name) && l.cur != nil {
		if l.managed.stores == nil {
			l.managed.stores = map[ir.Instr]int{}
		}
		l.managed.stores[r] = len(l.managed.resources)
		l.managed.resources = append(l.managed.resources, resource{at: r.Pos, op: models.OpRegister, kinds: kinds, api: name, of: r.Of})
	}
	worked := works(x, v)
	if worked == nil {
		l.emit(r)
		return
	}
	l.where(x, worked, r)
}

// works is the condition that a result says of a registration that it worked: an error
// code is zero, a pointer neither null nor an error (ERR_PTR). nil where the result is
// something else: a truth value, a number of what was registered.
func works(x *cc.PostfixExpression, v ir.Expr) ir.Expr {
	switch t := v.Type().(type) {
	case ir.Int:
		if x.Type().Kind() == cc.Int || x.Type().Kind() == cc.Long {
			return ir.Binary{Op: "eq", X: v, Y: ir.IntConst(t, 0)}
		}
	case ir.Ptr:
		n := ir.Cast{X: v, T: ir.U64}
		return ir.Binary{Op: "land", X: ir.Binary{Op: "ne", X: v, Y: ir.Null{T: t}}, Y: ir.Unary{Op: "lnot", X: ir.Binary{Op: "ge", X: n, Y: ir.Const{T: ir.U64, Val: ir.Wrap(ir.U64, big.NewInt(-4095))}}}}
	}
	return nil
}

// where runs instructions where a condition holds.
func (l *lowerer) where(x *cc.PostfixExpression, cond ir.Expr, ins ...*ir.Register) {
	p := pos(x.Position())
	yes, after := l.block("registered"), l.block("register")
	l.branch(p, cond, yes, after)
	l.start(yes)
	for _, in := range ins {
		l.emit(in)
	}
	l.jump(p, after)
	l.start(after)
}

// madeKnown is the object that a call registers or takes back: the pointer that it
// returns, or the first argument that points to something else than what the driver core
// knows already.
func madeKnown(vs []ir.Expr, v ir.Expr) ir.Expr {
	if v != nil && ir.IsPtr(v.Type()) {
		return v
	}
	for _, v := range vs {
		p, ok := ir.Uncast(v).Type().(ir.Ptr)
		if !ok {
			continue
		}
		if s, ok := p.Elem.(*ir.Struct); ok && !slices.Contains([]string{"device", "kobject", "module", "net"}, tagOf(s)) {
			return v
		}
	}
	return nil
}

// handsOver notes that code not seen gets tables of functions by a call whose name says
// nothing of registering. Package entry drops what does not make them known.
func (l *lowerer) handsOver(x *cc.PostfixExpression, name string, vs []ir.Expr) {
	as := args(x)
	for i, v := range vs {
		of := v
		if i < len(as) && as[i].Type().Undecay().Kind() == cc.Array {
			if p, ok := ir.Uncast(v).Type().(ir.Ptr); ok && ir.IsPtr(p.Elem) { // pointers to tables
				v, of = ir.Null{T: p.Elem.(ir.Ptr)}, nil
			}
		}
		if kinds := l.tablesOf([]ir.Expr{v}); len(kinds) > 0 {
			l.emit(&ir.Register{Base: at(x), API: name, Kinds: append(kinds, models.PerhapsKind), Of: of})
		}
	}
}

// tagOf is a struct's tag.
func tagOf(s *ir.Struct) string {
	tag, _, _ := strings.Cut(strings.TrimPrefix(s.Name, "struct "), "#")
	return tag
}

// setUpAnew: where the program has calls that may set handlers of a kind up anew without
// naming them, none is ended for good.
func (pr *program) setUpAnew() {
	for _, in := range pr.p.Instrs() {
		if u, ok := in.(*ir.Unregister); ok && slices.ContainsFunc(u.Kinds, func(k string) bool { return slices.Contains(pr.anew, k) }) {
			u.ForGood = false
		}
	}
}
