package entry

import (
	"strings"

	"whoop/internal/graph"
	"whoop/ir"
)

// site is an instruction with its place.
type site struct {
	in    ir.Instr
	block *ir.Block
	fn    *ir.Func
}

// callGraph knows who calls whom and whose address is taken, as far as the syntax tells.
type callGraph struct {
	p     *ir.Program
	sites []site
	of    map[ir.Instr]site
	// calls lists the direct calls and spawns of a function.
	calls map[*ir.Func][]site
	// taken: the function's address is used other than by a direct call or spawn.
	taken map[*ir.Func]bool
	loops map[*ir.Func]map[*ir.Block]bool
	defs  map[*ir.Reg][]ir.Instr
	// param says of which function a register is which parameter.
	param map[*ir.Reg]param
}

type param struct {
	fn    *ir.Func
	index int
}

func newCallGraph(p *ir.Program) *callGraph {
	g := &callGraph{p: p, of: map[ir.Instr]site{}, calls: map[*ir.Func][]site{}, taken: map[*ir.Func]bool{},
		loops: map[*ir.Func]map[*ir.Block]bool{}, defs: map[*ir.Reg][]ir.Instr{},
		param: map[*ir.Reg]param{}}
	for _, gl := range p.Globals {
		for _, c := range gl.Init {
			g.take(c.Value)
		}
	}
	for _, f := range p.Funcs {
		for i, r := range f.Params {
			g.param[r] = param{f, i}
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				s := site{in, b, f}
				g.sites = append(g.sites, s)
				g.of[in] = s
				g.instr(s)
			}
			for _, e := range ir.TermOperands(b.Term) {
				g.take(e)
			}
		}
	}
	return g
}

func (g *callGraph) instr(s site) {
	ir.MapDefs(s.in, func(r *ir.Reg) *ir.Reg {
		g.defs[r] = append(g.defs[r], s.in)
		return r
	})
	ops := ir.Operands(s.in)
	switch in := s.in.(type) {
	case *ir.Call:
		if f := direct(in.Callee); f != nil {
			g.calls[f] = append(g.calls[f], s)
			ops = in.Args
		}
	case *ir.Spawn:
		if f := direct(in.Fn); f != nil {
			g.calls[f] = append(g.calls[f], s)
			ops = append([]ir.Expr{in.HandleAddr}, in.Args...)
		}
	}
	for _, e := range ops {
		g.take(e)
	}
}

func (g *callGraph) take(e ir.Expr) {
	ir.WalkExpr(e, func(e ir.Expr) bool {
		if fa, ok := e.(ir.FuncAddr); ok {
			g.taken[fa.Func] = true
		}
		return true
	})
}

// direct returns the function that e is the address of, or nil.
func direct(e ir.Expr) *ir.Func {
	switch e := e.(type) {
	case ir.FuncAddr:
		return e.Func
	case ir.Cast:
		return direct(e.X)
	}
	return nil
}

// values resolves a function value: the functions it may be, and whether these are all.
// Registers are followed through assignments, parameters to the calls of functions that
// are called directly only.
func (g *callGraph) values(e ir.Expr) (fs []*ir.Func, all bool) {
	return g.resolve(e, map[*ir.Reg]bool{})
}

func (g *callGraph) resolve(e ir.Expr, seen map[*ir.Reg]bool) ([]*ir.Func, bool) {
	switch e := e.(type) {
	case ir.FuncAddr:
		return []*ir.Func{e.Func}, true
	case ir.Null:
		return nil, true
	case ir.Const:
		return nil, e.Val.Sign() == 0
	case ir.Cast:
		return g.resolve(e.X, seen)
	case ir.Select:
		a, oka := g.resolve(e.X, seen)
		b, okb := g.resolve(e.Y, seen)
		return append(a, b...), oka && okb
	case ir.Use:
		if seen[e.Reg] {
			return nil, true
		}
		seen[e.Reg] = true
		out, all := g.passed(e.Reg, seen)
		all = all || len(g.defs[e.Reg]) > 0 && g.param[e.Reg].fn == nil
		for _, d := range g.defs[e.Reg] {
			a, ok := d.(*ir.Assign)
			if !ok {
				all = false
				continue
			}
			fs, ok := g.resolve(a.X, seen)
			out, all = append(out, fs...), all && ok
		}
		return out, all
	}
	return nil, false
}

// passed resolves a parameter: what the calls of its function pass. All calls are seen
// where nothing takes the function's address.
func (g *callGraph) passed(r *ir.Reg, seen map[*ir.Reg]bool) (out []*ir.Func, all bool) {
	q := g.param[r]
	if q.fn == nil {
		return nil, false
	}
	all = !g.taken[q.fn] && len(g.calls[q.fn]) > 0
	for _, s := range g.calls[q.fn] {
		var args []ir.Expr
		switch in := s.in.(type) {
		case *ir.Call:
			args = in.Args
		case *ir.Spawn:
			args = in.Args
		}
		if q.index >= len(args) || args[q.index] == nil {
			return out, false
		}
		fs, ok := g.resolve(args[q.index], seen)
		out, all = append(out, fs...), all && ok
	}
	return out, all
}

// Candidates lists the functions whose address is taken and that could be called through
// a pointer of type t.
func Candidates(p *ir.Program, t ir.Type) []*ir.Func { return newCallGraph(p).candidates(t) }

// Resolved reports whether which functions a value is can be told from the program's
// text, without what is in memory.
func Resolved(p *ir.Program, e ir.Expr) bool {
	_, all := newCallGraph(p).values(e)
	return all
}

// candidates lists the functions whose address is taken and that could be called through
// a pointer of type t.
func (g *callGraph) candidates(t ir.Type) []*ir.Func {
	var out []*ir.Func
	for _, f := range g.p.Funcs {
		if g.taken[f] && !f.Extern && fits(f, t) && !strings.HasPrefix(f.Name, ir.OutsideFunc) {
			out = append(out, f)
		}
	}
	return out
}

// fits compares the number and sizes of parameters and results, and which are pointers; a
// pointer to nothing known fits every function.
func fits(f *ir.Func, t ir.Type) bool {
	p, ok := t.(ir.Ptr)
	if !ok {
		return true
	}
	ft, ok := p.Elem.(ir.FuncType)
	if !ok || ft.Variadic || f.Variadic {
		return true
	}
	if len(ft.Params) != len(f.Params) {
		return len(ft.Params) == 0 // func() is declared without a prototype
	}
	for i, q := range ft.Params {
		if !alike(q, f.Params[i].Type) {
			return false
		}
	}
	return isVoid(ft.Result) || isVoid(f.Result) || alike(ft.Result, f.Result)
}

func alike(a, b ir.Type) bool { return a.Size() == b.Size() && ir.IsPtr(a) == ir.IsPtr(b) }

func isVoid(t ir.Type) bool {
	_, void := t.(ir.Void)
	return void || t == nil
}

// inLoop reports whether b lies on a cycle of f.
func (g *callGraph) inLoop(f *ir.Func, b *ir.Block) bool {
	in, ok := g.loops[f]
	if !ok {
		in = map[*ir.Block]bool{}
		g.loops[f] = in
		for _, b := range f.Blocks {
			in[b] = graph.OnCycle(b, (*ir.Block).Succs)
		}
	}
	return in[b]
}

// once reports whether f surely runs at most once in the program: it is main, or has one
// call or spawn, outside loops, in a function that runs at most once.
func (g *callGraph) once(f, main *ir.Func, seen map[*ir.Func]bool) bool {
	if seen[f] || g.taken[f] {
		return false
	}
	cs := g.calls[f]
	if f == main {
		return len(cs) == 0
	}
	if len(cs) != 1 || g.inLoop(cs[0].fn, cs[0].block) {
		return false
	}
	seen[f] = true
	return g.once(cs[0].fn, main, seen)
}

// repeated reports whether f may run more than once for one run of an entry: it is called
// from two places, from a loop, through a pointer, or by a function that is repeated
// itself.
func (g *callGraph) repeated(f *ir.Func, entries, seen map[*ir.Func]bool) bool {
	cs := g.calls[f]
	switch {
	case entries[f]:
		return len(cs) > 0
	case seen[f] || g.taken[f] || len(cs) > 1:
		return true
	case len(cs) == 0:
		return false
	}
	seen[f] = true
	return g.inLoop(cs[0].fn, cs[0].block) || g.repeated(cs[0].fn, entries, seen)
}

// reachable returns the functions that a run of f may enter through calls (not through
// spawns).
func (g *callGraph) reachable(f *ir.Func) map[*ir.Func]bool {
	seen := map[*ir.Func]bool{f: true}
	work := []*ir.Func{f}
	visit := func(fs ...*ir.Func) {
		for _, h := range fs {
			if !seen[h] {
				seen[h] = true
				work = append(work, h)
			}
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for in := range f.Instrs() {
			switch in := in.(type) {
			case *ir.Call:
				visit(g.targets(in.Callee)...)
			case *ir.Once:
				visit(g.targets(in.Fn)...)
			}
		}
	}
	return seen
}

// targets lists the functions e may call.
func (g *callGraph) targets(e ir.Expr) []*ir.Func {
	fs, all := g.values(e)
	if !all {
		fs = g.candidates(e.Type())
	}
	return fs
}
