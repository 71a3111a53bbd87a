package pipeline

import (
	"context"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// closed leaves out of a program with a main function the entry points that nothing
// calls: functions in operation tables whose address never gets to code that is not seen.
// They are those of drivers that were made programs, with functions of their own in the
// place of the kernel's.
//
// What it finds out about the targets of pointers is returned where that is about the
// entry points that are left, and else nil.
func closed(ctx context.Context, p *ir.Program) (*alias.Result, error) {
	own := func(e *ir.Entry) bool { return e.Kind == "main" || e.Spawned }
	if p.TypeSafe || mainOf(p) == nil || !slices.ContainsFunc(p.Entries, func(e *ir.Entry) bool { return !own(e) }) {
		return nil, nil
	}
	q := *p
	q.Entries = slices.DeleteFunc(slices.Clone(p.Entries), func(e *ir.Entry) bool { return !own(e) })
	al, err := alias.Targets(ctx, &q)
	if err != nil {
		return nil, err
	}
	var dropped []*ir.Entry
	handlers, all := registered(p, al)
	if all {
		return nil, nil
	}
	p.Entries = slices.DeleteFunc(p.Entries, func(e *ir.Entry) bool {
		uncalled := !own(e) && e.Func != nil && !al.Known(e.Func) && !slices.Contains(handlers, e.Func)
		if uncalled {
			dropped = append(dropped, e)
		}
		return uncalled
	})
	p.Exclusions = slices.DeleteFunc(p.Exclusions, func(x ir.Exclusion) bool {
		return slices.ContainsFunc(dropped, func(e *ir.Entry) bool { return e.Name == x.A || e.Name == x.B })
	})
	run := mentioned(p)
	p.Assumptions = slices.DeleteFunc(p.Assumptions, func(a ir.Assumption) bool {
		return slices.ContainsFunc(p.Funcs, func(f *ir.Func) bool { return !run[f] && within(a.Pos, f) })
	})
	for _, e := range dropped {
		p.Assume("whole-program", e.Func.Pos, "the program is whole: no other file calls %s (%s), whose table is given to nobody", e.Name, e.Kind)
	}
	if len(p.Entries) == len(q.Entries) {
		return al, nil
	}
	return nil, nil
}

// registered are the functions that calls register one by one; all where it is not known
// which one does.
func registered(p *ir.Program, al *alias.Result) (out []*ir.Func, all bool) {
	for f, in := range p.Instrs() {
		if r, ok := in.(*ir.Register); ok && r.Fn != nil {
			fs := al.Funcs(r.Fn, f)
			out, all = append(out, fs...), all || len(fs) == 0
		}
	}
	return out, all
}

// mentioned are the functions that entry points mention, with those that these mention,
// and so on, in variables, too.
func mentioned(p *ir.Program) map[*ir.Func]bool {
	seen, globals := map[*ir.Func]bool{}, map[*ir.Global]bool{}
	var visit func(e ir.Expr)
	function := func(f *ir.Func) {
		if f == nil || seen[f] {
			return
		}
		seen[f] = true
		for e := range f.Exprs() {
			visit(e)
		}
	}
	visit = func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			switch e := e.(type) {
			case ir.FuncAddr:
				function(e.Func)
			case ir.GlobalAddr:
				if !globals[e.Global] {
					globals[e.Global] = true
					for _, c := range e.Global.Init {
						visit(c.Value)
					}
				}
			}
			return true
		})
	}
	for _, e := range p.Entries {
		function(e.Func)
	}
	return seen
}

// within reports whether a place is in the body of a function, from its name to its last
// instruction.
func within(at ir.Pos, f *ir.Func) bool {
	if at.File != f.Pos.File || at.Less(f.Pos) || len(f.Blocks) == 0 {
		return false
	}
	for in := range f.Instrs() {
		if in.At().File == at.File && !in.At().Less(at) {
			return true
		}
	}
	return false
}
