package contexts

import (
	"slices"
	"strings"

	callgraph "whoop/internal/graph"
	"whoop/ir"
)

// graph is the graph of the direct calls of a program.
type graph struct {
	// roots are the functions that get a tree of copies: entry points, and functions that
	// are values.
	roots []*ir.Func
	// standIns is how many of them only stand for code not seen, in C programs.
	standIns int
	// fixed are the functions that are not copied: entry points.
	fixed map[*ir.Func]bool
	// comp numbers the strongly connected components.
	comp map[*ir.Func]int
	// source is what copies are made of: the functions as they were.
	source map[*ir.Func]*ir.Func
	calls  map[*ir.Func][]*ir.Func
	size   map[*ir.Func]int
}

func newGraph(p *ir.Program) *graph {
	g := &graph{fixed: map[*ir.Func]bool{}, comp: map[*ir.Func]int{}, source: map[*ir.Func]*ir.Func{}, calls: map[*ir.Func][]*ir.Func{}, size: map[*ir.Func]int{}}
	isRoot := map[*ir.Func]bool{}
	root := func(f *ir.Func) {
		if f != nil && !isRoot[f] && len(f.Blocks) > 0 {
			isRoot[f] = true
			g.roots = append(g.roots, f)
			if !p.TypeSafe && strings.HasPrefix(f.Name, ir.OutsideFunc) {
				g.standIns++
			}
		}
	}
	for _, e := range p.Entries {
		g.fixed[e.Func] = true
		root(e.Func)
	}
	for _, x := range p.Globals {
		for _, c := range x.Init {
			mentions(c.Value, root)
		}
	}
	for _, f := range p.Funcs {
		g.source[f] = ir.CloneFunc(f)
		for _, b := range f.Blocks {
			g.size[f] += len(b.Instrs) + 1
			for _, in := range b.Instrs {
				if h := callee(in); h != nil && len(h.Blocks) > 0 {
					g.calls[f] = append(g.calls[f], h)
				}
			}
		}
		values(f, root)
	}
	for n, c := range callgraph.Components(p.Funcs, func(f *ir.Func) []*ir.Func { return g.calls[f] }) {
		for _, f := range c {
			g.comp[f] = n
		}
	}
	return g
}

// bySize lists the roots, those first that have the fewest instructions with all that
// they call; above the limit they count as equal.
func (g *graph) bySize(limit int) []*ir.Func {
	sizes := map[*ir.Func]int{}
	for _, f := range g.roots {
		sizes[f] = min(g.tree(f, 0, limit), limit)
	}
	out := slices.Clone(g.roots)
	slices.SortStableFunc(out, func(a, b *ir.Func) int { return sizes[a] - sizes[b] })
	return out
}

// callee is the function that a call, or a once, surely runs; nil for others.
func callee(in ir.Instr) *ir.Func {
	switch in := in.(type) {
	case *ir.Call:
		return ir.FuncOf(in.Callee)
	case *ir.Once:
		return ir.FuncOf(in.Fn)
	}
	return nil
}

// retarget makes a call of f of a call of something else.
func retarget(in ir.Instr, f *ir.Func) ir.Instr {
	switch in := in.(type) {
	case *ir.Call:
		c := *in
		c.Callee = replace(in.Callee, f)
		return &c
	case *ir.Once:
		c := *in
		c.Fn = replace(in.Fn, f)
		return &c
	}
	return in
}

func replace(e ir.Expr, f *ir.Func) ir.Expr {
	return ir.MapExpr(e, func(x ir.Expr) ir.Expr {
		if _, ok := x.(ir.FuncAddr); ok {
			return ir.FuncAddr{Func: f}
		}
		return x
	})
}

// mentions reports the functions in an expression.
func mentions(e ir.Expr, f func(*ir.Func)) {
	if e == nil {
		return
	}
	ir.WalkExpr(e, func(x ir.Expr) bool {
		if a, ok := x.(ir.FuncAddr); ok {
			f(a.Func)
		}
		return true
	})
}

// each goes through the expressions of a function.
func each(f *ir.Func, see func(ir.Expr)) {
	for e := range f.Exprs() {
		see(e)
	}
}

// values reports the functions that a function uses as values: not as the callee of a
// call.
func values(f *ir.Func, note func(*ir.Func)) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			es := ir.Operands(in)
			if g := callee(in); g != nil {
				rest := 0
				for _, e := range es {
					mentions(e, func(h *ir.Func) {
						if h == g {
							rest++
						}
					})
				}
				if rest == 1 {
					for _, e := range es {
						mentions(e, func(h *ir.Func) {
							if h != g {
								note(h)
							}
						})
					}
					continue
				}
			}
			for _, e := range es {
				mentions(e, note)
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			mentions(e, note)
		}
	}
}

// tree is how many instructions the copies of what f calls have with call paths of a
// length; beyond limit it stops counting.
func (g *graph) tree(f *ir.Func, depth, limit int) int {
	t := &counter{g: g, limit: limit, base: map[*ir.Func]bool{}, memo: map[int]map[*ir.Func]int{}}
	return t.below(f, depth) + t.shared
}

type counter struct {
	g      *graph
	limit  int
	base   map[*ir.Func]bool // what the copies for all paths beyond the depth have
	shared int
	memo   map[int]map[*ir.Func]int // by depth
}

// below counts the copies for what the component of f calls.
func (t *counter) below(f *ir.Func, depth int) int {
	n, seen, work := 0, map[*ir.Func]bool{f: true}, []*ir.Func{f}
	for len(work) > 0 && n+t.shared <= t.limit {
		h := work[0]
		work = work[1:]
		for _, c := range t.g.calls[h] {
			switch {
			case t.g.fixed[c]:
			case t.g.comp[c] == t.g.comp[f]:
				if !seen[c] {
					seen[c] = true
					n += t.g.size[c]
					work = append(work, c)
				}
			case depth == 0:
				t.all(c)
			default:
				n += t.count(c, depth-1)
			}
		}
	}
	return n
}

func (t *counter) count(f *ir.Func, depth int) int {
	if t.memo[depth] == nil {
		t.memo[depth] = map[*ir.Func]int{}
	}
	n, ok := t.memo[depth][f]
	if !ok {
		n = min(t.g.size[f]+t.below(f, depth), t.limit+1)
		t.memo[depth][f] = n
	}
	return n
}

// all counts the copies for all paths.
func (t *counter) all(f *ir.Func) {
	if t.base[f] || t.g.fixed[f] {
		return
	}
	t.base[f] = true
	t.shared += t.g.size[f]
	for _, c := range t.g.calls[f] {
		t.all(c)
	}
}
