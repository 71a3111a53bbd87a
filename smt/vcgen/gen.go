package vcgen

import (
	"fmt"
	"sort"

	"whoop/ir"
	"whoop/smt"
)

// cell names a remembered memory cell: a class of memory, an address term and a size.
type cell struct {
	class int
	addr  *smt.Term
	size  int64
}

// state is what is known at a program point: the path condition, the registers, and
// private memory.
type state struct {
	reach *smt.Term
	regs  map[*ir.Reg]*smt.Term
	mem   map[cell]*smt.Term
	// free: a path leads here that no condition seems to block, with these tests. So what
	// is false here is refuted.
	free  bool
	tests *tests
}

func (s *state) clone() *state {
	n := &state{s.reach, make(map[*ir.Reg]*smt.Term, len(s.regs)), make(map[cell]*smt.Term, len(s.mem)), s.free, s.tests}
	for k, v := range s.regs {
		n.regs[k] = v
	}
	for k, v := range s.mem {
		n.mem[k] = v
	}
	return n
}

// edge is a control-flow edge with the state that flows along it.
type edge struct {
	from *ir.Block
	st   *state
}

type gen struct {
	b    *smt.Builder
	o    Options
	g    *graph
	live map[*ir.Block]map[*ir.Reg]bool
	in   map[*ir.Block][]edge
	vc   *VC
	tr   *translator
	used map[int]bool
	// axioms are sliced into vc.Axioms at the end.
	axioms []axiom
	// atStart are the ghosts' values where the procedure starts; kept those where loops
	// are entered.
	atStart map[*ir.Reg]*smt.Term
	kept    map[*ir.Block][]kept
	// results are the pointers that procedures returned, or that are null on some path,
	// also where they are one of several values.
	results map[*smt.Term]bool
	// pointers are the values of pointers in cells.
	pointers map[*smt.Term]bool
	// cellAddrs are the addresses of the cells in Post, where the procedure starts.
	cellAddrs map[*LatchCell]*smt.Term
	// any are the blocks whose branch condition is made arbitrary.
	any map[*ir.Block]bool
}

// Generate returns the verification condition of f.
func Generate(b *smt.Builder, f *ir.Func, o Options) (*VC, error) {
	if len(f.Blocks) == 0 {
		return nil, fmt.Errorf("vcgen: %s has no body", f.Name)
	}
	g := &gen{b: b, o: o, g: newGraph(f), in: map[*ir.Block][]edge{}, vc: &VC{}, used: map[int]bool{},
		atStart: map[*ir.Reg]*smt.Term{}, kept: map[*ir.Block][]kept{}, results: map[*smt.Term]bool{}, pointers: map[*smt.Term]bool{},
		cellAddrs: map[*LatchCell]*smt.Term{}}
	g.live = g.g.liveness(o.Invariants)
	g.tr = newTranslator(b, g.axiom)
	g.tr.layouts = o.Layouts
	g.any = g.g.irrelevant(g.matters)
	g.keepCorrelated()
	g.in[f.Blocks[0]] = []edge{{nil, g.start()}}
	for _, blk := range g.g.order {
		if st := g.enter(blk); st != nil {
			if err := g.block(blk, st); err != nil {
				return nil, fmt.Errorf("vcgen: %s: %w", f.Name, err)
			}
		}
	}
	for id := range g.used {
		g.vc.Assumed = append(g.vc.Assumed, id)
	}
	sort.Ints(g.vc.Assumed)
	roots := make([]*smt.Term, len(g.vc.Obligations))
	for i, o := range g.vc.Obligations {
		roots[i] = o.Violated
	}
	g.vc.Axioms = slice(g.axioms, roots)
	return g.vc, nil
}

func (g *gen) axiom(subject, fact *smt.Term) { g.axioms = append(g.axioms, axiom{subject, fact}) }

// start is the state at the procedure's entry.
func (g *gen) start() *state {
	st := &state{reach: g.b.True, regs: map[*ir.Reg]*smt.Term{}, mem: map[cell]*smt.Term{}, free: true}
	var inits []*ir.Reg
	for r := range g.o.Init {
		inits = append(inits, r)
	}
	sort.Slice(inits, func(i, j int) bool { return inits[i].Name < inits[j].Name })
	for _, r := range inits {
		st.regs[r] = g.tr.expr(st, g.o.Init[r])
	}
	for _, k := range g.o.Keeps {
		g.atStart[k.Reg] = g.tr.reg(st, k.Reg)
	}
	for _, c := range g.o.Post {
		if c.Unless != nil {
			g.cellAddrs[c.Unless] = g.tr.expr(st, c.Unless.Addr)
		}
	}
	g.assume(st, g.o.Pre)
	return st
}

// assume adds guarded facts at a state. They become part of the path condition, never
// axioms: an axiom would also constrain the paths that lead here, and with them the
// obligations that establish the facts.
func (g *gen) assume(st *state, cs []Candidate) {
	if len(cs) == 0 {
		return
	}
	facts := []*smt.Term{st.reach}
	for _, c := range cs {
		g.used[c.ID] = true
		facts = append(facts, g.b.Implies(Guard(g.b, c.ID), g.latched(st, c, true)))
	}
	st.reach = g.name("assumed", g.b.And(facts...))
}

// prove adds obligations at a state.
func (g *gen) prove(st *state, cs []Candidate, at ir.Pos) {
	for _, c := range cs {
		cond := g.latched(st, c, false)
		v := g.b.And(st.reach, g.b.Not(cond))
		if st.free && cond == g.b.False {
			g.vc.Refuted = append(g.vc.Refuted, c.ID)
		} else if v != g.b.False {
			g.vc.Obligations = append(g.vc.Obligations, Obligation{c.ID, v, at})
		}
	}
}

// enter joins the states of the edges into blk; nil when it cannot be reached.
func (g *gen) enter(blk *ir.Block) *state {
	var es []edge
	for _, e := range g.in[blk] {
		if e.st.reach != g.b.False {
			es = append(es, e)
		}
	}
	delete(g.in, blk) // states are most of the memory
	if len(es) == 0 {
		return nil
	}
	inv := g.o.Invariants[blk]
	if g.g.heads[blk] != nil {
		for _, e := range es {
			g.prove(e.st, inv, blk.Term.At())
		}
	}
	st := g.join(blk, es)
	if body := g.g.heads[blk]; body != nil {
		g.enterLoop(blk, body, st)
		g.forget(st, body)
		g.assume(st, inv)
		g.assumeKept(st, g.kept[blk])
	}
	return st
}

// join merges the states of several edges: equal values stay, different ones become a new
// constant that is defined edge by edge (passification).
func (g *gen) join(blk *ir.Block, es []edge) *state {
	if len(es) == 1 {
		st := es[0].st // of this edge alone
		for r := range st.regs {
			if !r.Ghost && !g.live[blk][r] {
				delete(st.regs, r)
			}
		}
		return st
	}
	st := &state{regs: map[*ir.Reg]*smt.Term{}, mem: map[cell]*smt.Term{}}
	var rs []*smt.Term
	for _, e := range es {
		rs = append(rs, e.st.reach)
		if !st.free && e.st.free {
			st.free, st.tests = true, e.st.tests
		}
	}
	st.reach = g.name("reach", g.b.Or(rs...))
	for _, r := range g.joined(blk, es) {
		vals := make([]*smt.Term, len(es))
		for i, e := range es {
			vals[i] = g.tr.reg(e.st, r)
		}
		st.regs[r] = g.phi(r.Name, es, vals)
	}
	for _, c := range commonCells(es) {
		vals := make([]*smt.Term, len(es))
		for i, e := range es {
			if vals[i] = e.st.mem[c]; vals[i] == nil { // a latch's
				vals[i] = g.b.Fresh("latched", smt.Int)
			}
		}
		st.mem[c] = g.phi("mem", es, vals)
	}
	return st
}

// joined lists the registers to merge at blk in a fixed order.
func (g *gen) joined(blk *ir.Block, es []edge) []*ir.Reg {
	set := map[*ir.Reg]bool{}
	for _, e := range es {
		for r := range e.st.regs {
			if r.Ghost || g.live[blk][r] {
				set[r] = true
			}
		}
	}
	out := make([]*ir.Reg, 0, len(set))
	for r := range set {
		out = append(out, r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// commonCells lists the cells of which something is known on all edges, and those of
// latches of which something is on one.
func commonCells(es []edge) []cell {
	var out []cell
	for c := range es[0].st.mem {
		all := true
		for _, e := range es[1:] {
			if v := e.st.mem[c]; v == nil || v.Sort != es[0].st.mem[c].Sort {
				all = false
			}
		}
		if all && c.class >= 0 {
			out = append(out, c)
		}
	}
	seen := map[cell]bool{}
	for _, e := range es {
		for c := range e.st.mem {
			if c.class < 0 && !seen[c] {
				seen[c] = true
				out = append(out, c)
			}
		}
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.class != b.class {
			return a.class < b.class
		}
		if a.addr != b.addr {
			return a.addr.ID() < b.addr.ID()
		}
		return a.size < b.size
	})
	return out
}

// phi is the value of a register where edges meet.
func (g *gen) phi(name string, es []edge, vals []*smt.Term) *smt.Term {
	same := true
	for _, v := range vals[1:] {
		same = same && v == vals[0]
	}
	if same {
		return vals[0]
	}
	x := g.b.Fresh(name, vals[0].Sort)
	for i, e := range es {
		if g.returned(vals[i]) || vals[i] == g.b.Num(0) {
			g.results[x] = true
		}
		g.axiom(x, g.b.Implies(e.st.reach, g.b.Eq(x, vals[i])))
	}
	return x
}

// name gives a large Bool term a constant of its own.
func (g *gen) name(prefix string, t *smt.Term) *smt.Term {
	if len(t.Args) == 0 {
		return t
	}
	x := g.b.Fresh(prefix, smt.Bool)
	g.axiom(x, g.b.Eq(x, t))
	return x
}

// forget makes arbitrary what the blocks of a loop may change.
func (g *gen) forget(st *state, body map[*ir.Block]bool) {
	var classes Classes
	for _, blk := range g.g.order {
		if !body[blk] {
			continue
		}
		for _, in := range blk.Instrs {
			for _, r := range g.defs(in) {
				delete(st.regs, r)
			}
			for _, c := range g.writes(in) {
				classes.Add(c)
			}
			for _, c := range g.breaks(in) {
				classes.Add(c)
			}
			if c, ok := in.(*ir.Call); ok && g.o.Calls[c] != nil {
				classes.Merge(g.o.Calls[c].Writes)
			}
		}
	}
	g.forgetCells(st, classes)
}

// defs lists the registers an instruction writes, ghosts of called procedures included.
func (g *gen) defs(in ir.Instr) []*ir.Reg {
	ds := ir.Defs(in)
	if c, ok := in.(*ir.Call); ok && g.o.Calls[c] != nil {
		ds = append(append([]*ir.Reg{}, ds...), g.o.Calls[c].Modifies...)
	}
	return ds
}

func (g *gen) writes(in ir.Instr) []int {
	if g.o.Writes == nil {
		return nil
	}
	return g.o.Writes(in)
}

// forgetCells drops the remembered cells of some memory classes.
func (g *gen) forgetCells(st *state, classes Classes) {
	for c := range st.mem {
		if classes.Has(c.class) {
			delete(st.mem, c)
		}
	}
}

// block executes one block and sends its state along the outgoing edges.
func (g *gen) block(blk *ir.Block, st *state) error {
	for i, in := range blk.Instrs {
		g.accessed(st, blk.Instrs[i:])
		if err := g.instr(st, in); err != nil {
			return fmt.Errorf("%s: %w", in.At(), err)
		}
		if st.reach == g.b.False {
			return nil
		}
	}
	switch t := blk.Term.(type) {
	case *ir.Goto:
		g.choose(blk, t, st)
	case *ir.Branch:
		c := g.tr.expr(st, t.Cond)
		if g.any[blk] && c != g.b.True && c != g.b.False { // what is known costs nothing
			c = g.b.Fresh("any", smt.Bool)
		}
		then, els := st, st
		if !g.any[blk] && c != g.b.True && c != g.b.False {
			then, els = g.branch(st, t.Cond, c)
		}
		g.send(blk, t.Then, then, c)
		g.send(blk, t.Else, els, g.b.Not(c))
	case *ir.Return:
		if g.o.Result != nil && t.Val != nil {
			st.regs[g.o.Result] = g.tr.expr(st, t.Val)
		}
		g.prove(st, g.o.Post, t.Pos)
		for _, k := range g.o.Keeps {
			g.proveKept(st, []kept{{k, g.atStart[k.Reg]}}, t.Pos)
		}
	}
	return nil
}

func (g *gen) choose(blk *ir.Block, t *ir.Goto, st *state) {
	rest := g.b.True
	for i, to := range t.Targets {
		c := rest
		if i < len(t.Targets)-1 {
			x := g.b.Fresh("choice", smt.Bool)
			c, rest = g.b.And(rest, x), g.b.And(rest, g.b.Not(x))
		}
		g.send(blk, to, st, c)
	}
}

// send passes a state on, or proves the invariants of the head a back edge leads to.
func (g *gen) send(from, to *ir.Block, st *state, cond *smt.Term) {
	n := st.clone()
	n.reach = g.b.And(st.reach, cond)
	if g.g.back(from, to) {
		g.prove(n, g.o.Invariants[to], from.Term.At())
		g.proveKept(n, g.kept[to], from.Term.At())
		return
	}
	g.in[to] = append(g.in[to], edge{from, n})
}
