package entry

import (
	"slices"

	"whoop/ir"
)

// The end of a module. When its unload function has returned, or its load function has
// failed, its code and its variables are gone. A handler that the module has set up
// (a timer, a work item, an interrupt) must not run any more, nor start
// (kernel-hacking/hacking.rst, "module_exit"). So the end writes a variable that stands
// for the module's code, which each handler reads where it begins and where it returns: a handler that is not
// shown to be stopped is a race on it. What operation tables hold does not count: the
// kernel has a reference to the module while it calls such functions (owner).
//
// Handlers of a driver with a function for the device's end are left out: they have been
// stopped when that was called, for each device, before the unload function has
// unregistered the driver. Whether they were is asked there.

// unload adds these accesses to a module.
func (x *inferrer) unload() {
	for _, e := range x.p.Entries {
		e.Stop = x.stopOf(ir.WithoutPlace(e.Kind))
	}
	if x.removers() != nil {
		return
	}
	var ends, loads, handlers []*ir.Entry
	for _, e := range x.p.Entries {
		switch {
		case e.Kind == "exit" && e.Exit:
			ends = append(ends, e)
		case e.Kind == "init" && e.Init:
			loads = append(loads, e)
		case e.Stop != "":
			handlers = append(handlers, e)
		}
	}
	if len(ends) == 0 || len(handlers) == 0 || len(loads) == 0 {
		return
	}
	code := &ir.Global{Name: ir.ModuleCode, Type: ir.I8, Static: true, Pos: ends[0].Pos}
	x.p.Globals = append(x.p.Globals, code)
	at := ir.GlobalAddr{Global: code}
	for _, e := range handlers {
		read := func(pos ir.Pos) ir.Instr {
			return &ir.Touch{Base: ir.Base{Pos: pos}, Addr: at, Size: ir.IntConst(ir.U64, 1), Read: true, Why: e.Name}
		}
		b := e.Func.Blocks[0]
		b.Instrs = slices.Insert(b.Instrs, 0, read(e.Pos))
		for _, b := range e.Func.Blocks {
			if r, ok := b.Term.(*ir.Return); ok {
				b.Instrs = append(b.Instrs, read(r.Pos))
			}
		}
	}
	gone := func(pos ir.Pos) ir.Instr {
		return &ir.Touch{Base: ir.Base{Pos: pos}, Addr: at, Size: ir.IntConst(ir.U64, 1), Write: true, Why: "the module's end"}
	}
	closed := x.closedFiles()
	for _, e := range ends {
		f := x.own(e)
		f.Blocks[0].Instrs = append(closed(e.Pos), f.Blocks[0].Instrs...)
		for _, b := range f.Blocks {
			if r, ok := b.Term.(*ir.Return); ok {
				b.Instrs = append(b.Instrs, gone(r.Pos))
			}
		}
	}
	for _, e := range loads {
		f := x.own(e)
		afterFailure(f, gone)
	}
}

// own is the function of an entry, which nothing else calls.
func (x *inferrer) own(e *ir.Entry) *ir.Func {
	if len(x.cg.calls[e.Func]) > 0 {
		e.Func = around(e.Func)
		x.p.Funcs = append(x.p.Funcs, e.Func)
	}
	return e.Func
}

// stopOf is the name of the function that stops handlers of a kind; "" for other entries.
func (x *inferrer) stopOf(kind string) string {
	if _, handler := x.m.CallbackKinds[kind]; !handler {
		return ""
	}
	return x.m.Stops[kind]
}
