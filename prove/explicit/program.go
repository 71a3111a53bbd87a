package explicit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// A program is what is computed once: functions with numbered registers, globals, and
// which instructions others may notice.
type program struct {
	prog  *ir.Program
	opt   Options
	fns   []*fn
	byFn  map[*ir.Func]*fn
	sites map[*ir.Alloc]int
	globs map[*ir.Global]int32
	start *shared
	main  *fn
	// visible are instructions before which others may run, dead the stores of what
	// nobody reads.
	visible, dead map[ir.Instr]bool
	// blind are calls of functions without bodies that may write memory.
	blind map[ir.Instr]bool
	// many are the spawns that may be executed several times.
	many    map[*ir.Spawn]bool
	joins   bool // something waits for threads
	shareds numbers[*shared]
	locals  numbers[*local]
	// rough are the spots whose numbers are told apart by their classes and by one
	// remainder alone, seen the values of others, types what is written to places.
	rough       map[spot]span
	finer       map[*ir.Reg]bool // indices of the array of which one element is followed
	seen        map[spot]map[span]bool
	types       map[spot]ir.Type
	found       []finding // see learn
	assumptions []ir.Assumption
	sums        *summaries
	// bounds are where the classes of numbers begin that coarse places tell apart.
	bounds []int64
}

// An fn is a function.
type fn struct {
	id     int
	f      *ir.Func
	regs   map[*ir.Reg]int
	list   []*ir.Reg
	blocks map[*ir.Block]int
	heads  map[int]bool // blocks that are the heads of loops
	in     map[*ir.Block]map[*ir.Reg]bool
	live   map[[2]int][]bool
}

func (p *program) addFn(f *ir.Func) *fn {
	if g := p.byFn[f]; g != nil {
		return g
	}
	g := &fn{id: len(p.fns), f: f, regs: map[*ir.Reg]int{}, blocks: map[*ir.Block]int{}, heads: map[int]bool{}, live: map[[2]int][]bool{}}
	p.byFn[f] = g
	p.fns = append(p.fns, g)
	for _, r := range slices.Concat(f.Params, f.Regs) {
		g.regs[r] = len(g.list)
		g.list = append(g.list, r)
	}
	for i, b := range f.Blocks {
		g.blocks[b] = i
	}
	at := map[*ir.Block]int{}
	for i, b := range ir.RPO(f) {
		at[b] = i
	}
	for b, i := range at {
		for _, s := range b.Succs() {
			if at[s] <= i {
				g.heads[g.blocks[s]] = true
			}
		}
	}
	return g
}

// liveAt says which registers may be read from an instruction on.
func (g *fn) liveAt(block, index int) []bool {
	k := [2]int{block, index}
	if l := g.live[k]; l != nil {
		return l
	}
	if g.in == nil {
		g.in = ir.Liveness(g.f)
	}
	now := ir.LiveAt(g.in, g.f.Blocks[block], index)
	out := make([]bool, len(g.list))
	for r := range now {
		out[g.regs[r]] = true
	}
	g.live[k] = out
	return out
}

func load(ctx context.Context, q *ir.Program, opt Options) (*program, error) {
	p := &program{prog: q, opt: opt, byFn: map[*ir.Func]*fn{}, sites: map[*ir.Alloc]int{}, globs: map[*ir.Global]int32{}, start: &shared{}, visible: map[ir.Instr]bool{}, dead: map[ir.Instr]bool{}, many: map[*ir.Spawn]bool{}, blind: map[ir.Instr]bool{},
		finer: map[*ir.Reg]bool{}, rough: map[spot]span{}, seen: map[spot]map[span]bool{}, types: map[spot]ir.Type{}, shareds: numbers[*shared]{ids: map[string]int32{}}, locals: numbers[*local]{ids: map[string]int32{}}}
	if len(q.Ghosts) > 0 {
		return nil, fmt.Errorf("a program with ghosts")
	}
	for _, a := range q.Assumptions {
		if a.Kind == "unmodelled" || a.Kind == "initialiser" {
			return nil, fmt.Errorf("%s: %s", a.Pos, a.Text)
		}
	}
	for _, e := range q.Entries {
		switch {
		case e.Kind == "main":
			if e.Func == nil || e.Func.Unknown != "" || len(e.Func.Blocks) == 0 {
				return nil, fmt.Errorf("main is not known")
			}
			p.main = p.addFn(e.Func)
		case !e.Spawned:
			return nil, fmt.Errorf("calls of %s (%s) are not followed", e.Name, e.Kind)
		}
	}
	if p.main == nil {
		return nil, fmt.Errorf("there is no main function")
	}
	al, err := alias.AnalyzeContext(ctx, q, alias.Options{})
	if err != nil {
		return nil, err
	}
	p.assumptions = al.Assumptions()
	p.classify(al)
	for i, g := range q.Globals {
		p.globs[g] = int32(i)
		o, err := p.global(g)
		if err != nil {
			return nil, err
		}
		p.start.objs = append(p.start.objs, o)
	}
	p.findSummaries()
	return p, nil
}

// classify finds the instructions that others may notice, the stores that nobody reads,
// spawns in loops, allocations and constants.
func (p *program) classify(al *alias.Result) {
	read := map[int]bool{}
	consts := map[int64]bool{0: true}
	all := func(f func(*ir.Func, *ir.Block, ir.Instr)) {
		for _, g := range p.prog.Funcs {
			for _, b := range g.Blocks {
				for _, in := range b.Instrs {
					f(g, b, in)
				}
			}
		}
	}
	compared := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			b, ok := e.(ir.Binary)
			if _, isBool := e.Type().(ir.Bool); !ok || !isBool {
				return true
			}
			for _, x := range []ir.Expr{b.X, b.Y} {
				if c, ok := x.(ir.Const); ok && c.Val.IsInt64() {
					consts[c.Val.Int64()] = true
				}
			}
			return true
		})
	}
	all(func(f *ir.Func, b *ir.Block, in ir.Instr) {
		if p.opt.element != nil {
			p.indices(in)
		}
		if t, ok := in.(*ir.Touch); !ok || t.Write {
			for _, a := range al.Accesses(in) {
				for _, r := range a.Regions {
					read[r.ID] = read[r.ID] || !a.Write || a.Unseen
				}
			}
		}
		switch in := in.(type) {
		case *ir.Join:
			p.joins = true
		case *ir.Alloc:
			p.sites[in] = len(p.sites)
		case *ir.RMW, *ir.CmpXchg:
			for _, a := range al.Accesses(in) {
				for _, r := range a.Regions {
					read[r.ID] = true
				}
			}
		}
		for _, e := range ir.Operands(in) {
			compared(e)
		}
	})
	for _, g := range p.prog.Funcs {
		for _, b := range g.Blocks {
			for _, e := range ir.TermOperands(b.Term) {
				compared(e)
			}
		}
	}
	cyclic := map[*ir.Func]map[*ir.Block]bool{}
	all(func(f *ir.Func, b *ir.Block, in ir.Instr) {
		if s, ok := in.(*ir.Spawn); ok {
			if cyclic[f] == nil {
				cyclic[f] = cycles(f)
			}
			p.many[s] = f != p.main.f || cyclic[f][b]
		}
		accs := al.Accesses(in)
		if _, ok := in.(*ir.Call); ok && slices.ContainsFunc(accs, func(a alias.Access) bool { return a.Write }) {
			p.blind[in] = true
		}
		if st, ok := in.(*ir.Store); ok && len(accs) > 0 && p.opt.Races == nil {
			p.dead[st] = true
			for _, a := range accs {
				for _, r := range a.Regions {
					p.dead[st] = p.dead[st] && !a.Unknown && !a.Unseen && !read[r.ID]
				}
			}
		}
		if p.opt.MayRace != nil && !p.opt.MayRace(in) {
			return
		}
		for _, a := range accs {
			if a.Unknown {
				p.visible[in] = true
			}
			for _, r := range a.Regions {
				if r.Shared {
					p.visible[in] = true
				}
			}
		}
	})
	for c := range consts {
		p.bounds = append(p.bounds, c)
		if c < math.MaxInt64 {
			p.bounds = append(p.bounds, c+1)
		}
	}
	slices.Sort(p.bounds)
	p.bounds = slices.Compact(p.bounds)
	if len(p.bounds) > maxClasses {
		p.bounds = []int64{0, 1}
	}
}

// maxClasses bounds the classes of numbers that coarse places tell apart.
const maxClasses = 60

// cycles are the blocks that lead to themselves.
func cycles(f *ir.Func) map[*ir.Block]bool {
	out := map[*ir.Block]bool{}
	for _, b := range f.Blocks {
		seen, work := map[*ir.Block]bool{}, slices.Clone(b.Succs())
		for len(work) > 0 {
			c := work[len(work)-1]
			work = work[:len(work)-1]
			if !seen[c] {
				seen[c] = true
				work = append(work, c.Succs()...)
			}
		}
		out[b] = seen[b]
	}
	return out
}

// global is what a global holds at first.
func (p *program) global(g *ir.Global) (*object, error) {
	o := &object{size: g.Type.Size(), zero: true, any: g.Extern, wild: g.Extern}
	for _, c := range g.Init {
		v, e := val{}, c.Value
		for {
			k, ok := e.(ir.Cast)
			if !ok || !ir.IsPtr(k.T) || !ir.IsPtr(k.X.Type()) {
				break
			}
			e = k.X
		}
		switch x := e.(type) {
		case ir.Const:
			v = number64(x)
		case ir.Null:
			v = num(0)
		case ir.FuncAddr:
			v = val{kind: function, o: int32(p.addFn(x.Func).id)}
		default:
			w, ok := p.address(c.Value)
			if !ok {
				return nil, fmt.Errorf("%s: an initial value of %s is not followed", c.Pos, g.Name)
			}
			v = w
		}
		if v != num(0) {
			o.put(c.Offset, int32(c.Type.Size()), v)
		}
	}
	return o, nil
}

// address is a constant address.
func (p *program) address(e ir.Expr) (val, bool) {
	switch x := e.(type) {
	case ir.GlobalAddr:
		i := slices.Index(p.prog.Globals, x.Global)
		return val{kind: pointer, o: int32(i)}, i >= 0 && !x.Global.ThreadLocal
	case ir.FieldAddr:
		v, ok := p.address(x.Base)
		v.n += x.S.Fields[x.Index].Offset
		return v, ok
	case ir.IndexAddr:
		v, ok := p.address(x.Base)
		c, isConst := x.Idx.(ir.Const)
		if !ok || !isConst || !c.Val.IsInt64() {
			return val{}, false
		}
		v.n += c.Val.Int64() * x.Stride
		return v, true
	case ir.Cast:
		if ir.IsPtr(x.X.Type()) && ir.IsPtr(x.T) {
			return p.address(x.X)
		}
	}
	return val{}, false
}

func number64(c ir.Const) val {
	switch {
	case c.Val.IsInt64():
		return num(c.Val.Int64())
	case c.Val.IsUint64():
		return num(int64(c.Val.Uint64()))
	}
	return val{}
}

// class is the numbers that a coarse place does not tell from n.
func (p *program) class(n int64) span {
	i, ok := slices.BinarySearch(p.bounds, n)
	if !ok {
		i--
	}
	r := span{lo: math.MinInt64, hi: math.MaxInt64}
	if i >= 0 {
		r.lo = p.bounds[i]
	}
	if i+1 < len(p.bounds) {
		r.hi = p.bounds[i+1] - 1
	}
	return r
}

// maxThreads bounds the threads that have numbers.
const maxThreads = 60

// numbered reports whether the threads of a spawn have numbers, by which they can be
// waited for.
func (p *program) numbered(in *ir.Spawn) bool {
	if p.opt.Views > 0 {
		return !p.many[in] && !p.opt.crowd
	}
	return p.joins
}
