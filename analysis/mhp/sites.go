package mhp

import (
	"context"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// world is what the analysis of spawn sites looks things up in.
type world struct {
	p       *ir.Program
	al      *alias.Result
	cg      *calls
	loops   map[*ir.Func][]*ir.Loop
	counts  map[*ir.Func]map[*ir.Block]*counted
	defs    map[*ir.Reg][]ir.Instr
	indexOf map[ir.Instr]int
	writers map[*alias.Region][]ir.Instr
	sites   []*site
	joins   []*join
	leaking map[*ir.Entry]leak
	// plain is the problem of the sites without a cell.
	plain     *plain
	plainRuns map[*ir.Func]*plainRun
}

// site is a Spawn instruction.
type site struct {
	spawn   *ir.Spawn
	fn      *ir.Func
	block   *ir.Block
	targets []*ir.Entry
	// cell is where the handle is kept; nil where joins cannot be recognised.
	cell *cell
	// array is the loop that spawns one thread into each element; nil for a site with one
	// handle.
	array *counted
	// watched are the registers that cell reads.
	watched []*ir.Reg
	regions []*alias.Region
	// stored is the instruction that puts the handle from the spawn's register into
	// memory, or nil.
	stored ir.Instr
	ch     *chain
}

// join is a Join instruction whose handle comes from a known cell.
type join struct {
	in    *ir.Join
	fn    *ir.Func
	block *ir.Block
	cell  *cell
	// array: the cell's index is the counter of this loop, which joins one thread in
	// every iteration.
	array *counted
}

func newWorld(ctx context.Context, p *ir.Program, al *alias.Result, seen bool) (*world, error) {
	w := &world{p: p, al: al, cg: newCalls(p, al, seen), loops: map[*ir.Func][]*ir.Loop{},
		counts: map[*ir.Func]map[*ir.Block]*counted{}, defs: map[*ir.Reg][]ir.Instr{},
		indexOf: map[ir.Instr]int{}, writers: map[*alias.Region][]ir.Instr{},
		leaking: map[*ir.Entry]leak{}, plainRuns: map[*ir.Func]*plainRun{}}
	threads := false
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for i, in := range b.Instrs {
				w.indexOf[in] = i
				for _, d := range ir.Defs(in) {
					w.defs[d] = append(w.defs[d], in)
				}
				_, spawn := in.(*ir.Spawn)
				threads = threads || spawn
			}
		}
	}
	if !threads {
		return w, nil
	}
	w.findWriters()
	for _, f := range p.Funcs {
		w.loops[f] = w.cg.cfg(f).Loops()
	}
	for _, f := range p.Funcs {
		w.counts[f] = w.findCounted(f)
		w.collect(f)
	}
	var plain []*site
	for _, s := range w.sites {
		if s.cell == nil {
			plain = append(plain, s)
		}
	}
	w.plain = w.newPlain(plain)
	for _, s := range w.sites {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.solve(s)
	}
	return w, nil
}

// findWriters lists the instructions that may write each region.
func (w *world) findWriters() {
	for _, in := range w.p.Instrs() {
		for _, a := range w.al.Accesses(in) {
			for _, r := range a.Regions {
				if a.Write {
					w.writers[r] = append(w.writers[r], in)
				}
			}
		}
	}
}

// collect finds the sites and the joins in f.
func (w *world) collect(f *ir.Func) {
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			switch in := in.(type) {
			case *ir.Spawn:
				s := &site{spawn: in, fn: f, block: b, targets: w.targets(in, f)}
				w.handle(s, i)
				w.sites = append(w.sites, s)
			case *ir.Join:
				if j := w.joined(f, b, i, in); j != nil {
					w.joins = append(w.joins, j)
				}
			}
		}
	}
}

// targets returns the entries a spawn may start.
func (w *world) targets(in *ir.Spawn, f *ir.Func) []*ir.Entry {
	fs := w.al.Funcs(in.Fn, f)
	if g := ir.FuncOf(in.Fn); g != nil {
		fs = []*ir.Func{g}
	}
	var out []*ir.Entry
	for _, e := range w.p.Entries {
		if e.Spawned && (len(fs) == 0 || slices.Contains(fs, e.Func)) {
			out = append(out, e)
		}
	}
	return out
}

// handle finds where the handle of a site is kept.
func (w *world) handle(s *site, at int) {
	addr, access := s.spawn.HandleAddr, ir.Instr(s.spawn)
	size := int64(8)
	if addr != nil {
		size = handleSize(s.spawn)
	} else {
		if s.spawn.Dst == nil {
			return
		}
		k := w.keptAt(s, at)
		s.stored = k.in
		if k.reg != nil {
			s.cell = &cell{reg: k.reg, direct: true, owner: s.fn}
			s.watched = []*ir.Reg{k.reg}
			return
		}
		addr, access, at = k.addr, k.in, w.indexOf[k.in]
		size = k.in.(*ir.Store).Val.Type().Size()
	}
	e := w.expand(s.block, at, addr)
	if c := w.counts[s.fn][w.head(s.fn, s.block)]; c != nil && c.beforeInc(s.block, at) {
		if p := w.place(s.fn, e, c.counter); p != nil && p.idx == "#" && (p.stride >= size || p.stride <= -size) {
			s.cell, s.array = p.sized(size), c
		}
	}
	if s.cell == nil {
		s.cell = w.place(s.fn, e, nil).sized(size)
	}
	var base *ir.Reg
	if c := w.through(s.block, at, s.cell); c != s.cell {
		ld, _ := lastDef(s.block, at, s.cell.reg)
		if _, later := w.writes(ld.(*ir.Load), s.block); !later {
			base, s.cell = s.cell.reg, c
		}
	}
	ir.WalkExpr(e, func(x ir.Expr) bool {
		if u, ok := x.(ir.Use); ok && u.Reg != base && (s.array == nil || u.Reg != s.array.counter) {
			s.watched = append(s.watched, u.Reg)
		}
		return true
	})
	w.handleRegions(s, access)
}

// kept is where the handle in a spawn's register goes: a register, or memory that in
// stores it to.
type kept struct {
	reg  *ir.Reg
	addr ir.Expr
	in   ir.Instr
}

// keptAt finds where the handle in the spawn's register goes right after, in the same
// block; it may stay there.
func (w *world) keptAt(s *site, at int) kept {
	k := kept{reg: s.spawn.Dst, in: s.spawn}
	for _, in := range s.block.Instrs[at+1:] {
		switch in := in.(type) {
		case *ir.Store:
			if holds(w.expand(s.block, w.indexOf[in], in.Val), s.spawn.Dst) {
				return kept{addr: in.Addr, in: in}
			}
		case *ir.Assign:
			if holds(w.expand(s.block, w.indexOf[in], in.X), s.spawn.Dst) {
				k = kept{reg: in.Dst, in: in}
			}
		}
		if !quiet(in) {
			break
		}
	}
	return k
}

// holds reports whether e is the register's value, through casts, or that or something
// else that is no handle.
func holds(e ir.Expr, r *ir.Reg) bool {
	switch x := e.(type) {
	case ir.Use:
		return x.Reg == r
	case ir.Cast:
		return x.T.Size() >= r.Type.Size() && holds(x.X, r)
	case ir.Select:
		return holds(x.X, r) || holds(x.Y, r)
	}
	return false
}

// head returns the head of the innermost loop around b.
func (w *world) head(f *ir.Func, b *ir.Block) *ir.Block {
	if l := w.innermost(f, b); l != nil {
		return l.Head
	}
	return nil
}

// handleRegions finds the memory the handle is stored in; the cell is given up where
// other code may write it.
func (w *world) handleRegions(s *site, access ir.Instr) {
	for _, a := range w.al.Accesses(access) {
		if !a.Write {
			continue
		}
		if a.Unknown {
			s.cell = nil
		}
		s.regions = append(s.regions, a.Regions...)
	}
	if len(s.regions) == 0 {
		s.cell = nil
	}
}

// overwriters returns the instructions that may change the handle of s in memory.
func (w *world) overwriters(s *site) []ir.Instr {
	var out []ir.Instr
	for _, r := range s.regions {
		for _, in := range w.writers[r] {
			if in != ir.Instr(s.spawn) && in != s.stored && !slices.Contains(out, in) && !w.apartFrom(s, in) {
				out = append(out, in)
			}
		}
	}
	return out
}

// apartFrom reports whether in writes other places than the handles of s.
func (w *world) apartFrom(s *site, in ir.Instr) bool {
	switch in := in.(type) {
	case *ir.Store:
		b := w.cg.blockOf(in)
		c := w.place(w.cg.fnOf(in), w.expand(b, w.indexOf[in], in.Addr), nil).sized(in.Val.Type().Size())
		return apart(w.through(b, w.indexOf[in], c), nil, s.cell, s.array)
	case *ir.Spawn:
		for _, t := range w.sites {
			if t.spawn == in && in.HandleAddr != nil {
				return apart(t.cell, t.array, s.cell, s.array)
			}
		}
	}
	return false
}

// joined finds the cell that the handle of a join comes from.
func (w *world) joined(f *ir.Func, b *ir.Block, at int, in *ir.Join) *join {
	u, ok := uncast(in.Handle).(ir.Use)
	if !ok {
		return nil
	}
	if e, ok := uncast(w.expand(b, at, u)).(ir.Use); ok {
		u = e
	}
	j := &join{in: in, fn: f, block: b}
	def, k := lastDef(b, at, u.Reg)
	ld, ok := def.(*ir.Load)
	if !ok {
		if def == nil {
			j.cell = &cell{reg: u.Reg, direct: true, owner: f}
			return j
		}
		return nil
	}
	for _, x := range b.Instrs[k+1 : at] {
		if !quiet(x) {
			return nil
		}
	}
	e := w.expand(b, k, ld.Addr)
	if c := w.counts[f][w.head(f, b)]; c != nil && c.beforeInc(b, k) && w.everyIteration(w.cg.cfg(f), c.loop, b) {
		if p := w.place(f, e, c.counter).sized(ld.Dst.Type.Size()); p != nil && p.idx == "#" {
			j.cell, j.array = w.through(b, k, p), c
			return j
		}
	}
	j.cell = w.through(b, k, w.place(f, e, nil).sized(ld.Dst.Type.Size()))
	if j.cell == nil {
		return nil
	}
	return j
}

// uncast is e without conversions that keep the value.
func uncast(e ir.Expr) ir.Expr {
	for {
		c, ok := e.(ir.Cast)
		if !ok || c.T.Size() < c.X.Type().Size() {
			return e
		}
		e = c.X
	}
}

// quiet reports whether an instruction neither writes memory nor runs other code.
func quiet(in ir.Instr) bool {
	switch in.(type) {
	case *ir.Assign, *ir.Load, *ir.Havoc, *ir.Assume, *ir.Assert:
		return true
	}
	return false
}
