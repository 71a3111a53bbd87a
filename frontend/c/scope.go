package c

import (
	"maps"
	"slices"

	"whoop/ir"
)

// scope is a block of the source: what is declared in it ends with it (C11 6.2.4).
type scope struct {
	up    *scope
	vars  []*ir.Reg // the addresses of its variables and compound literals, as far as declared
	skips bool      // the body of a switch: its cases may pass over declarations
	// of the function's scope: there are gotos, which may enter and leave blocks anywhere
	jumps bool
	// cleanups are the functions that are called with the address of a variable when its
	// scope is left.
	cleanups map[*ir.Reg]*ir.Func
}

// within reports whether s is t or a block in it.
func (s *scope) within(t *scope) bool {
	for ; s != nil; s = s.up {
		if s == t {
			return true
		}
	}
	return false
}

// scopeFacts are the scopes of addresses of variables, and of variables in registers.
type scopeFacts struct {
	of    map[*ir.Reg]*scope
	owner map[*ir.Reg]*ir.Func
}

func newScopeFacts() scopeFacts {
	return scopeFacts{of: map[*ir.Reg]*scope{}, owner: map[*ir.Reg]*ir.Func{}}
}

func (l *lowerer) open() {
	s := &scope{}
	if n := len(l.scopes); n > 0 {
		s.up = l.scopes[n-1]
	}
	l.scopes = append(l.scopes, s)
}

// close ends the innermost scope.
func (l *lowerer) close(at ir.Pos) {
	l.leave(len(l.scopes)-1, at)
	l.scopes = l.scopes[:len(l.scopes)-1]
}

// leave ends what is declared in all scopes but the outer n. Those whose addresses nobody
// has then are taken out again, see endScopes.
func (l *lowerer) leave(n int, at ir.Pos) {
	for i := len(l.scopes) - 1; i >= n; i-- {
		for _, r := range slices.Backward(l.scopes[i].vars) {
			if f := l.scopes[i].cleanups[r]; f != nil {
				l.cleanUp(f, ir.Use{Reg: r}, at)
			}
			l.emit(&ir.Free{Base: ir.Base{Pos: at}, Addr: ir.Use{Reg: r}, Scope: true})
		}
	}
}

// mark notes how many scopes are around b; around tells.
func (l *lowerer) mark(b *ir.Block) {
	if l.depths == nil {
		l.depths = map[*ir.Block]int{}
	}
	l.depths[b] = len(l.scopes)
}

func (l *lowerer) around(b *ir.Block) int { return l.depths[b] }

// declared notes a variable in memory.
func (l *lowerer) declared(addr ir.Expr) {
	if u, ok := addr.(ir.Use); ok {
		s := l.scopes[len(l.scopes)-1]
		s.vars = append(s.vars, u.Reg)
		l.owned(u.Reg)
	}
}

// owned notes a register as one of the innermost scope.
func (l *lowerer) owned(r *ir.Reg) {
	l.ends.of[r], l.ends.owner[r] = l.scopes[len(l.scopes)-1], l.f
}

// endScopes keeps the ends of those variables whose addresses may be known when their
// blocks end. What cannot be placed exactly is an assumption.
func (pr *program) endScopes() {
	main := pr.funcs["main"]
	// of drivers: whoever gets the address of a variable on the stack is waited for, as
	// that of heap memory
	if main == nil || main.Extern {
		pr.dropEnds()
		return
	}
	e := findEscapes(pr)
	for _, f := range pr.p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if a, ok := in.(*ir.Alloc); ok && e.escapes[a.Dst] != 0 && !pr.placed(a.Dst) && !pr.ofMain(f, a.Dst) {
					pr.p.Assume("lifetime", a.Pos, "%s is not used after the end of its block", a.Name)
				}
			}
			b.Instrs = slices.DeleteFunc(b.Instrs, func(in ir.Instr) bool {
				fr, ok := in.(*ir.Free)
				if !ok || !fr.Scope {
					return false
				}
				r := fr.Addr.(ir.Use).Reg
				fr.Kept = e.escapes[r] == kept
				return e.escapes[r] == 0 || !pr.placed(r) || pr.ofMain(f, r)
			})
		}
	}
}

// placed reports whether the ends of a variable are where its block ends.
func (pr *program) placed(r *ir.Reg) bool { return !pr.ends.of[r].root().jumps && !pr.ends.of[r].skips }

// ofMain reports whether a variable is one of main, outside of the blocks in it: it lives
// as long as the program.
func (pr *program) ofMain(f *ir.Func, r *ir.Reg) bool {
	return f.Name == "main" && pr.ends.of[r].up == nil
}

// dropEnds takes out all ends.
func (pr *program) dropEnds() {
	for _, f := range pr.p.Funcs {
		for _, b := range f.Blocks {
			b.Instrs = slices.DeleteFunc(b.Instrs, func(in ir.Instr) bool {
				fr, ok := in.(*ir.Free)
				return ok && fr.Scope
			})
		}
	}
}

func (s *scope) root() *scope {
	for s.up != nil {
		s = s.up
	}
	return s
}

// How the address of a variable may be known at its end: to a thread, or to who finds it
// in memory or another variable.
const (
	spawned = 1
	kept    = 2
)

// escapes finds the variables of blocks whose addresses outlive them, by the flow of
// addresses through registers, calls and other such variables.
type escapes struct {
	pr      *program
	escapes map[*ir.Reg]int
	from    map[*ir.Reg]map[*ir.Reg]bool // the variables whose addresses a register may hold
	holds   map[*ir.Reg]map[*ir.Reg]bool // those whose addresses a variable may hold
	returns map[*ir.Func]map[*ir.Reg]bool
	changed bool
}

func findEscapes(pr *program) *escapes {
	e := &escapes{pr: pr, escapes: map[*ir.Reg]int{}, from: map[*ir.Reg]map[*ir.Reg]bool{}, holds: map[*ir.Reg]map[*ir.Reg]bool{}, returns: map[*ir.Func]map[*ir.Reg]bool{}}
	for e.changed = true; e.changed; {
		e.changed = false
		for _, f := range pr.p.Funcs {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					e.instr(f, in)
				}
				switch t := b.Term.(type) {
				case *ir.Return:
					e.returned(f, t.Val)
				case *ir.Stop:
					e.escape(e.in(t.Val), kept)
				}
			}
		}
		for y, how := range maps.Clone(e.escapes) { // with a variable, what it holds
			e.escape(e.holds[y], how)
		}
	}
	return e
}

// in are the variables whose addresses the value of an expression may hold.
func (e *escapes) in(x ir.Expr) map[*ir.Reg]bool {
	var out map[*ir.Reg]bool
	if x == nil {
		return nil
	}
	ir.WalkExpr(x, func(x ir.Expr) bool {
		switch x := x.(type) {
		case ir.Binary:
			switch x.Op {
			case "eq", "ne", "lt", "le", "gt", "ge":
				return false
			}
		case ir.Use:
			for v := range e.from[x.Reg] {
				if out == nil {
					out = map[*ir.Reg]bool{}
				}
				out[v] = true
			}
		}
		return true
	})
	return out
}

func (e *escapes) escape(vs map[*ir.Reg]bool, how int) {
	for v := range vs {
		if e.escapes[v] < how {
			e.escapes[v], e.changed = how, true
		}
	}
}

// flow adds addresses to a set of them.
func (e *escapes) flow(m map[*ir.Reg]map[*ir.Reg]bool, r *ir.Reg, vs map[*ir.Reg]bool) {
	for v := range vs {
		if m[r] == nil {
			m[r] = map[*ir.Reg]bool{}
		}
		if !m[r][v] {
			m[r][v], e.changed = true, true
		}
	}
}

// assign is a register getting addresses: one of a block around a variable's outlives it.
func (e *escapes) assign(r *ir.Reg, vs map[*ir.Reg]bool) {
	if r == nil {
		return
	}
	e.flow(e.from, r, vs)
	s := e.pr.ends.of[r]
	for v := range vs {
		if t := e.pr.ends.of[v]; s != nil && t != nil && s != t && t.within(s) {
			e.escape(map[*ir.Reg]bool{v: true}, kept)
		}
	}
}

func (e *escapes) instr(f *ir.Func, in ir.Instr) {
	switch i := in.(type) {
	case *ir.Alloc:
		if e.pr.ends.of[i.Dst] != nil {
			e.flow(e.from, i.Dst, map[*ir.Reg]bool{i.Dst: true})
		}
	case *ir.Assign:
		e.assign(i.Dst, e.in(i.X))
	case *ir.Load:
		for y := range e.in(i.Addr) {
			e.assign(i.Dst, e.holds[y])
		}
	case *ir.Store:
		e.store(i.Addr, e.in(i.Val))
	case *ir.RMW:
		e.store(i.Addr, e.in(i.Val))
	case *ir.CmpXchg:
		e.store(i.Addr, e.in(i.New))
	case *ir.MemCopy:
		for y := range e.in(i.Src) {
			e.store(i.Dst, e.holds[y])
		}
	case *ir.Spawn:
		for _, a := range i.Args {
			e.escape(e.in(a), spawned)
		}
	case *ir.Register:
		for _, a := range append(i.Args[:len(i.Args):len(i.Args)], i.Obj) {
			e.escape(e.in(a), kept)
		}
	case *ir.Call:
		e.call(i)
	}
}

// store is one of addresses: into a variable, which may hold them then, or anywhere.
func (e *escapes) store(addr ir.Expr, vs map[*ir.Reg]bool) {
	if len(vs) == 0 {
		return
	}
	u, ok := base(addr).(ir.Use)
	if !ok || e.pr.ends.of[u.Reg] == nil || !e.from[u.Reg][u.Reg] {
		e.escape(vs, kept)
		return
	}
	e.flow(e.holds, u.Reg, vs)
	outer := e.pr.ends.of[u.Reg]
	for v := range vs {
		if inner := e.pr.ends.of[v]; inner == nil || !outer.within(inner) {
			e.escape(map[*ir.Reg]bool{v: true}, kept)
		}
	}
}

func (e *escapes) call(i *ir.Call) {
	fa, direct := i.Callee.(ir.FuncAddr)
	for k, a := range i.Args {
		if vs := e.in(a); !direct || k >= len(fa.Func.Params) {
			e.escape(vs, kept)
		} else {
			e.flow(e.from, fa.Func.Params[k], vs)
		}
	}
	if direct {
		e.assign(i.Dst, e.returns[fa.Func])
	}
}

// returned is a function's result: addresses of its own variables outlive it.
func (e *escapes) returned(f *ir.Func, v ir.Expr) {
	vs := e.in(v)
	for r := range vs {
		if e.pr.ends.owner[r] == f {
			e.escape(map[*ir.Reg]bool{r: true}, kept)
		}
		if e.returns[f] == nil {
			e.returns[f] = map[*ir.Reg]bool{}
		}
		if !e.returns[f][r] {
			e.returns[f][r], e.changed = true, true
		}
	}
}
