package pipeline

import (
	"context"
	"slices"

	"whoop/analysis/alias"
	"whoop/frontend/entry"
	"whoop/ir"
)

// handed makes functions entry points whose address code not seen has, in a program with
// a main function: in members of structs that external functions get, or in arguments of
// functions that are called through pointers. Such code may call them later, from any
// thread. The targets of pointers are al, nil where they are not known yet.
func handed(ctx context.Context, p *ir.Program, al *alias.Result) error {
	if p.TypeSafe || mainOf(p) == nil {
		return nil
	}
	own := map[*ir.Func]bool{}
	for _, e := range p.Entries {
		own[e.Func] = true
	}
	run := mentioned(p)
	if !slices.ContainsFunc(ir.AddressTaken(p), func(f *ir.Func) bool { return len(f.Blocks) > 0 && !own[f] && run[f] }) {
		return nil
	}
	loaded := loadedCallbacks(p)
	add := func(f *ir.Func, kind string) bool {
		if own[f] || len(f.Blocks) == 0 {
			return false
		}
		own[f] = true
		p.Entries = append(p.Entries, &ir.Entry{Name: f.Name, Func: f, Pos: f.Pos, Kind: kind, Multi: true})
		return true
	}
	for more := true; more; { // what is registered may hand over more
		if al == nil {
			var err error
			if al, err = alias.Targets(ctx, p); err != nil {
				return err
			}
		}
		more = false
		for _, r := range loaded {
			fs, all := al.Registered(r)
			if !all {
				fs = entry.Candidates(p, r.Fn.Type())
			}
			for _, f := range fs {
				if add(f, r.Kinds[0]) {
					more = true
					if !all {
						p.Assume("callback-target", r.Pos, "which function %s makes a callback is not known here: every function whose address is taken and whose parameters fit is taken to be one", r.API)
					}
				}
			}
		}
		for _, f := range p.Funcs {
			if al.Known(f) && add(f, "callback") {
				more = true
				p.Assume("extern-callback", f.Pos, "code not seen gets the address of %s: it is assumed to be called later, as an entry point of its own", f.Title())
			}
		}
		al = nil
	}
	return nil
}

// unseenThreads adds an entry that is not understood where a thread may run a function
// that is not seen: what it does, and when, is not known.
func unseenThreads(ctx context.Context, p *ir.Program, al *alias.Result) error {
	at := func(a ir.Assumption) bool { return a.Kind == "spawn-target" }
	if p.TypeSafe || !slices.ContainsFunc(p.Assumptions, at) {
		return nil
	}
	if al == nil {
		var err error
		if al, err = alias.Targets(ctx, p); err != nil {
			return err
		}
	}
	for _, in := range p.Instrs() {
		if s, ok := in.(*ir.Spawn); ok && al.RunsUnseen(s) {
			f := &ir.Func{Name: "a function that is not seen", Pos: s.Pos, Result: ir.Void{},
				Unknown: "a thread runs a function that is not seen"}
			p.Funcs = append(p.Funcs, f)
			p.Entries = append(p.Entries, &ir.Entry{Name: f.Name, Func: f, Pos: s.Pos, Kind: "thread", Multi: true})
			return nil
		}
	}
	return nil
}

// loadedCallbacks are the registrations of functions that are loaded from memory.
func loadedCallbacks(p *ir.Program) (out []*ir.Register) {
	for _, in := range p.Instrs() {
		if r, ok := in.(*ir.Register); ok && r.Fn != nil && len(r.Kinds) > 0 && !entry.Resolved(p, r.Fn) {
			out = append(out, r)
		}
	}
	return out
}
