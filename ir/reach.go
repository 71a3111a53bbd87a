package ir

import (
	"maps"
	"slices"
	"strings"
)

// reachable are the functions that may run when f does: calls, threads and registered
// callbacks included, but for those that instructions of without register. A call through
// a pointer may be one of any function of taken.
func reachable(taken []*Func, from *Func, without *Bindings) map[*Func]bool {
	seen := map[*Func]bool{}
	all := false
	var visit func(f *Func)
	visit = func(f *Func) {
		if f == nil || seen[f] {
			return
		}
		seen[f] = true
		for in := range f.Instrs() {
			if without != nil && without.At(in) != nil {
				continue
			}
			call, _ := in.(*Call)
			for _, e := range Operands(in) {
				WalkExpr(e, func(e Expr) bool {
					if fa, ok := e.(FuncAddr); ok {
						visit(fa.Func)
					}
					return true
				})
			}
			if call == nil || all {
				continue
			}
			if _, direct := call.Callee.(FuncAddr); !direct && call.Callee != nil {
				all = true
				for _, g := range taken {
					visit(g)
				}
			}
		}
	}
	visit(from)
	return seen
}

// AddressTaken lists the functions whose address is a value somewhere, in the program's
// order: a pointer of the environment may lead to those.
func AddressTaken(p *Program) []*Func {
	taken := map[*Func]bool{}
	mark := func(e Expr) {
		WalkExpr(e, func(e Expr) bool {
			if fa, ok := e.(FuncAddr); ok {
				taken[fa.Func] = true
			}
			return true
		})
	}
	for _, g := range p.Globals {
		for _, c := range g.Init {
			mark(c.Value)
		}
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				ops := Operands(in)
				if c, ok := in.(*Call); ok {
					if _, direct := c.Callee.(FuncAddr); direct {
						ops = c.Args
					}
				}
				for _, e := range ops {
					mark(e)
				}
			}
			for _, e := range TermOperands(b.Term) {
				mark(e)
			}
		}
	}
	var out []*Func
	for _, f := range p.Funcs {
		if taken[f] {
			out = append(out, f)
		}
	}
	return out
}

// Registrations are the kinds of entry points, and the handlers (see Bound), that entries
// may register, and the handlers of which they may start an object (see Starting): each
// in its own run, and with the handlers that it registers.
type Registrations struct {
	own, all map[*Entry]map[string]bool
	// elsewhere are the handlers that code registers which no entry runs.
	elsewhere map[string]bool
	binds     *Bindings
}

// RegistrationsOf looks through all that the entries may run.
func RegistrationsOf(p *Program) *Registrations {
	taken := AddressTaken(p)
	binds := BindingsOf(p)
	of := func(e *Entry, without *Bindings) map[string]bool {
		out := map[string]bool{}
		inside := reachable(taken, e.Func, without)
		for f := range inside {
			registeredIn(f, out)
			binds.startedIn(f, out)
			stoppedIn(f, p.Entries, out)
		}
		for _, h := range p.Entries {
			if h.Func != nil && slices.ContainsFunc(binds.Sites(h.Func), func(f *Func) bool { return inside[f] }) {
				out[Bound(h.Func)] = true
			}
		}
		return out
	}
	r := &Registrations{map[*Entry]map[string]bool{}, map[*Entry]map[string]bool{}, map[string]bool{}, binds}
	known := map[string]bool{}
	for _, e := range p.Entries {
		r.own[e], r.all[e] = of(e, binds), of(e, nil)
		maps.Copy(known, r.own[e])
	}
	for _, e := range p.Entries {
		if e.Func != nil && len(binds.Sites(e.Func)) > 0 && !known[Bound(e.Func)] {
			r.elsewhere[Bound(e.Func)] = true
		}
	}
	return r
}

// Own reports whether a run of e may register a kind or handler.
func (r *Registrations) Own(e *Entry, what string) bool { return r.own[e][what] }

// Kinds lists the kinds and handlers that anything registers, sorted.
func (r *Registrations) Kinds() []string {
	out := map[string]bool{}
	for _, ks := range r.own {
		maps.Copy(out, ks)
	}
	return slices.Sorted(maps.Keys(out))
}

// registeredIn adds the kinds that a function registers.
func registeredIn(f *Func, kinds map[string]bool) {
	for in := range f.Instrs() {
		r, ok := in.(*Register)
		if !ok || r.Fn != nil {
			continue
		}
		if len(r.Kinds) == 0 {
			kinds[""] = true
		}
		for _, k := range r.Kinds {
			kinds[k] = true
		}
	}
}

// Before lists what, sorted, something that is not run may have registered before roots
// run together, after init has run: another entry, or one of them that may overlap
// itself, and so may have run before. What init entries register they register
// themselves, and handlers that something registers which is run are taken to be
// registered by that alone; those that code registers which no entry runs were registered
// before. Handlers that take an instruction to start may have been started by entries
// that are no roots; what a root starts has been started before only in executions in
// which a run of that root before is followed.
func (r *Registrations) Before(init, roots []*Entry) []string {
	kinds := map[string]bool{}
	for e, ks := range r.all {
		if e.Init {
			continue
		}
		outside := !slices.Contains(roots, e)
		for k := range ks {
			if r.starts(k, roots) && outside && r.Own(e, k) || !r.starts(k, roots) && (e.Multi || outside) {
				kinds[k] = true
			}
		}
	}
	maps.Copy(kinds, r.elsewhere)
	run := slices.Clone(init)
	for _, e := range roots {
		if !e.Multi {
			run = append(run, e)
		}
	}
	for _, h := range roots {
		if h.Func != nil && slices.ContainsFunc(run, func(e *Entry) bool { return r.Own(e, Bound(h.Func)) }) {
			delete(kinds, Bound(h.Func))
		}
	}
	return slices.Sorted(maps.Keys(kinds))
}

// starts reports whether an instruction that registers a kind starts an object of a
// handler: roots of this kind take such an instruction.
func (r *Registrations) starts(kind string, roots []*Entry) bool {
	if strings.HasPrefix(kind, starting) {
		return true
	}
	some := false
	for _, h := range roots {
		if h.Func != nil && Covers([]string{kind}, h.Kind) {
			if !r.binds.Started(h.Func) {
				return false
			}
			some = true
		}
	}
	return some
}

// NotUnderstood is a function that was not translated (Func.Unknown) and that an entry
// point or other code may run: what holds of all that the program does cannot be told.
// nil: there is none.
func (p *Program) NotUnderstood() *Func {
	used := map[*Func]bool{}
	mark := func(e Expr) bool {
		if fa, ok := e.(FuncAddr); ok {
			used[fa.Func] = true
		}
		return true
	}
	for _, e := range p.Entries {
		used[e.Func] = true
	}
	for _, g := range p.Globals {
		for _, c := range g.Init {
			WalkExpr(c.Value, mark)
		}
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, e := range Operands(in) {
					WalkExpr(e, mark)
				}
			}
			for _, e := range TermOperands(b.Term) {
				WalkExpr(e, mark)
			}
		}
	}
	for _, f := range p.Funcs {
		if f.Unknown != "" && len(f.Blocks) == 0 && !f.Extern && used[f] {
			return f
		}
	}
	return nil
}
