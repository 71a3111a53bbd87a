package contexts

import (
	"fmt"
	"strings"

	"whoop/ir"
)

// Options bound the copying.
type Options struct {
	// Limit is how many instructions the program may have afterwards; 0 means 60000. It
	// is divided among the roots, the entry points and the functions that are values: the
	// small ones first, and what they leave is for the others.
	Limit int
}

const (
	defaultLimit = 60000
	// maxDepth bounds the length of call paths.
	maxDepth = 12
)

// Split returns a copy of p in which calls have functions of their own, and which
// instruction of p each of its instructions is. p is not changed.
func Split(p *ir.Program, opt Options) (q *ir.Program, from map[ir.Instr]ir.Instr) {
	if opt.Limit == 0 {
		opt.Limit = defaultLimit
	}
	q = ir.Clone(p)
	g := newGraph(q)
	s := &splitter{p: q, g: g, copies: map[key]*ir.Func{}, numbers: map[string]int{}, taken: map[string]bool{}, of: map[*ir.Func]*ir.Func{}}
	for i, f := range q.Funcs {
		s.taken[f.Name] = true
		s.of[f] = p.Funcs[i]
	}
	left, shares := opt.Limit, max(len(g.roots)-g.standIns, 1)
	for _, f := range g.bySize(opt.Limit) {
		s.share = left / max(shares, 1)
		left -= s.root(f)
		shares--
	}
	s.prune()
	if q.TypeSafe {
		s.small(opt.Limit)
		s.prune()
	}
	return q, s.origins()
}

// origins maps the instructions to those that they are copies of: copies have the blocks
// of their originals, and as many instructions in each.
func (s *splitter) origins() map[ir.Instr]ir.Instr {
	from := map[ir.Instr]ir.Instr{}
	for _, f := range s.p.Funcs {
		orig := s.of[f]
		for i, b := range f.Blocks {
			for j, in := range b.Instrs {
				from[in] = orig.Blocks[i].Instrs[j]
			}
		}
	}
	return from
}

// key names a copy: a function in a context.
type key struct {
	f   *ir.Func
	ctx *frame
}

// frame is a context: how many calls it is away from the root.
type frame struct {
	depth int
}

type splitter struct {
	p       *ir.Program
	g       *graph
	share   int // instructions for a root
	depth   int // of the call paths of the present root
	base    *frame
	copies  map[key]*ir.Func
	numbers map[string]int
	taken   map[string]bool
	// the function of the program as it was that one is, or is a copy of
	of   map[*ir.Func]*ir.Func
	work []pending
}

// pending is a function whose calls are to be redirected.
type pending struct {
	f, orig *ir.Func
	ctx     *frame
}

// root gives the functions that f calls copies of their own, as deep as there is room
// for, and returns how many instructions these have.
func (s *splitter) root(f *ir.Func) int {
	s.depth = -1
	size := 0
	for d := 0; d <= maxDepth; d++ {
		n := s.g.tree(f, d, s.share)
		if n > s.share {
			break
		}
		s.depth, size = d, n
	}
	if s.depth < 0 {
		return 0
	}
	s.base = &frame{depth: s.depth + 1}
	s.work = []pending{{f, f, &frame{}}}
	for len(s.work) > 0 {
		w := s.work[0]
		s.work = s.work[1:]
		s.redirect(w)
	}
	return size
}

// redirect makes the calls of a function go to copies.
func (s *splitter) redirect(w pending) {
	for _, b := range w.f.Blocks {
		for i, in := range b.Instrs {
			g := callee(in)
			if g == nil || s.g.fixed[g] || len(g.Blocks) == 0 {
				continue
			}
			b.Instrs[i] = retarget(in, s.copy(g, s.context(w, g)))
		}
	}
}

// context is that of a call of g by a function.
func (s *splitter) context(w pending, g *ir.Func) *frame {
	switch {
	case s.g.comp[g] == s.g.comp[w.orig] || w.ctx == s.base:
		return w.ctx
	case w.ctx.depth >= s.depth:
		return s.base
	}
	return &frame{depth: w.ctx.depth + 1}
}

// copy returns the copy of a function for a context.
func (s *splitter) copy(f *ir.Func, ctx *frame) *ir.Func {
	k := key{f, ctx}
	if c := s.copies[k]; c != nil {
		return c
	}
	c := ir.CloneFunc(s.g.source[f])
	c.Copy = f.Title()
	c.Name = s.name(c.Copy)
	s.copies[k], s.of[c] = c, s.of[f]
	s.p.Funcs = append(s.p.Funcs, c)
	s.work = append(s.work, pending{c, f, ctx})
	return c
}

// name makes a name for a copy.
func (s *splitter) name(of string) string {
	for {
		s.numbers[of]++
		n := fmt.Sprintf("%s@%d", of, s.numbers[of])
		if !s.taken[n] {
			s.taken[n] = true
			return n
		}
	}
}

// prune leaves out the functions that nothing mentions any more.
func (s *splitter) prune() {
	used := map[*ir.Func]bool{}
	var work []*ir.Func
	add := func(f *ir.Func) {
		if f != nil && !used[f] {
			used[f] = true
			work = append(work, f)
		}
	}
	for _, e := range s.p.Entries {
		add(e.Func)
	}
	for _, g := range s.p.Globals {
		for _, c := range g.Init {
			mentions(c.Value, add)
		}
	}
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		each(f, func(e ir.Expr) { mentions(e, add) })
	}
	var kept []*ir.Func
	for _, f := range s.p.Funcs {
		if used[f] || len(f.Blocks) == 0 && !strings.Contains(f.Name, "@") {
			kept = append(kept, f)
		}
	}
	s.p.Funcs = kept
}
