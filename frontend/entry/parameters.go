package entry

import (
	"strings"

	"whoop/ir"
)

// Parameters of a module that users may write (module_param with a write bit in its
// permissions): sysfs stores there at any time from when the module is there, before its
// load function runs, until it is gone (kernel/module/main.c, load_module and
// free_module). One that is written is an entry point which writes the variable. The
// kernel holds one lock around what sysfs does with a module's parameters
// (kernel_param_lock).
//
// Parameters with functions of the module for it are left to these, which are entry
// points by themselves.

// parameters makes the entry points.
func (x *inferrer) parameters() {
	for _, g := range x.p.Globals {
		if s, ok := g.Type.(*ir.Struct); !ok || structTag(s) != ir.ParameterKind {
			continue
		}
		perm := int64(0)
		var arg *ir.Global
		var addr ir.Expr
		own := false
		for _, c := range g.Init {
			to := globalAt(c.Value)
			switch {
			case memberAt(g.Type, c.Offset, "perm"):
				perm, _ = ir.IntOf(ir.Uncast(c.Value))
			case memberAt(g.Type, c.Offset, "ops"):
				own = to != nil && !to.Extern
			case memberAt(g.Type, c.Offset, "arg") && to != nil:
				arg, addr = to, c.Value
			}
		}
		if perm&0o222 == 0 || own || arg == nil {
			continue
		}
		x.parameter(g, arg, addr)
	}
}

// globalAt is the variable that an address lies in.
func globalAt(e ir.Expr) *ir.Global {
	for {
		switch v := e.(type) {
		case ir.Cast:
			e = v.X
		case ir.FieldAddr:
			e = v.Base
		case ir.IndexAddr:
			e = v.Base
		case ir.GlobalAddr:
			return v.Global
		default:
			return nil
		}
	}
}

// parameter makes a function that writes what a parameter sets: the variable, or what the
// description of an array or a string leads to.
func (x *inferrer) parameter(g, arg *ir.Global, addr ir.Expr) {
	name := strings.TrimPrefix(g.Name, "__param_")
	f := &ir.Func{Name: "parameter " + name, Result: ir.Void{}, Pos: g.Pos}
	b := &ir.Block{Name: "entry", Term: &ir.Return{TermBase: ir.TermBase{Pos: g.Pos}}}
	f.Blocks = []*ir.Block{b}
	write := func(e ir.Expr) {
		p, ok := ir.Uncast(e).Type().(ir.Ptr)
		if to := globalAt(e); ok && to != nil && !to.Const {
			size := p.Elem.Size()
			if a, isArray := to.Type.(ir.Array); isArray {
				size = a.Size()
			}
			b.Instrs = append(b.Instrs, &ir.Touch{Base: ir.Base{Pos: g.Pos}, Addr: e, Size: ir.IntConst(ir.U64, size), Write: true, Why: "sysfs"})
		}
	}
	if s, ok := arg.Type.(*ir.Struct); ok && strings.HasPrefix(structTag(s), "kparam_") {
		for _, c := range arg.Init {
			if !memberAt(arg.Type, c.Offset, "ops") {
				write(c.Value)
			}
		}
	} else {
		write(addr)
	}
	if len(b.Instrs) == 0 {
		return
	}
	x.p.Funcs = append(x.p.Funcs, f)
	x.add(f, role{kind: ir.ParameterKind, notSelf: true, always: true, holds: []string{"param_lock"}, instance: g.Name})
}
