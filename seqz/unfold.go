package seqz

import (
	"slices"

	"whoop/ir"
)

// Options bound the unfolding.
type Options struct {
	// MaxInline is the greatest size, in instructions after inlining, of a function that
	// is still inlined; 0 means 3000, and less where the entry's procedures would have
	// more than MaxTotal instructions together (0 means 30000).
	MaxInline, MaxTotal int
}

// Resolver says what calls may reach; the points-to analysis implements it.
type Resolver interface {
	// Callees lists the functions a call may reach; complete is false when there may be
	// others.
	Callees(*ir.Call) (fns []*ir.Func, complete bool)
	// Funcs lists the values of a function-pointer expression.
	Funcs(e ir.Expr, in *ir.Func) []*ir.Func
}

// Frame is one call on the way from the entry point to an instruction.
type Frame struct {
	Func *ir.Func // the function called
	Call ir.Pos   // where it is called
}

// Origin says where an instruction of a sequential procedure comes from.
type Origin struct {
	Instr ir.Instr
	Func  *ir.Func
	Calls []Frame // outermost first; the entry function itself is not in it
}

// Proc is one sequential procedure.
type Proc struct {
	// Source is the function it unfolds, Body the unfolded copy.
	Source *ir.Func
	Body   *ir.Func
	// Chain is one call chain from the entry point that reaches it; empty for the root.
	Chain []Frame
	// Calls gives the procedure that each remaining Call runs.
	Calls map[*ir.Call]*Proc
	// Unknown lists what is not understood of it.
	Unknown []ir.Assumption
}

// Seq is the sequential program of entry points that run one at a time, mostly of one.
// The first procedures are the roots, one for each of them; what several of them call is
// there once.
type Seq struct {
	Procs  []*Proc
	Roots  int
	Origin map[ir.Instr]Origin
	// Unknown lists why they are not fully understood; empty for most.
	Unknown []ir.Assumption
	// Inlined counts the calls that were replaced by bodies.
	Inlined int
}

type unfolder struct {
	seq   *Seq
	res   Resolver
	opt   Options
	procs map[*ir.Func]*Proc
	size  map[*ir.Func]int
	queue []*Proc
	now   *Proc // that is unfolded
	seen  map[string]bool
	notes map[*ir.Func][]ir.Assumption // see note
	// cycle numbers the strongly connected components of the calls: functions with the
	// same number may call each other in turn.
	cycle map[*ir.Func]int
}

// Unfold makes the sequential program of entry points. Where there are several, these
// must have bodies.
func Unfold(es []*ir.Entry, res Resolver, opt Options) *Seq {
	u := &unfolder{seq: &Seq{Origin: map[ir.Instr]Origin{}, Roots: len(es)}, res: res, opt: opt,
		procs: map[*ir.Func]*Proc{}, size: map[*ir.Func]int{}, seen: map[string]bool{},
		notes: map[*ir.Func][]ir.Assumption{}}
	var roots []*ir.Func
	for _, e := range es {
		roots = append(roots, e.Func)
	}
	u.findCycles(roots)
	u.chooseInline(roots)
	for _, f := range roots {
		u.now = u.proc(f, nil)
		// where it is called, it does not start as an entry does: that is a procedure of
		// its own
		delete(u.procs, f)
		if len(f.Blocks) == 0 {
			u.note(f)
			u.now.Body = &ir.Func{Name: f.Name, Result: f.Result}
			return u.seq
		}
	}
	for len(u.queue) > 0 {
		u.now = u.queue[0]
		u.queue = u.queue[1:]
		u.unfold(u.now)
	}
	return u.seq
}

func (u *unfolder) proc(f *ir.Func, chain []Frame) *Proc {
	if p := u.procs[f]; p != nil {
		return p
	}
	p := &Proc{Source: f, Chain: chain, Calls: map[*ir.Call]*Proc{}}
	u.procs[f] = p
	u.seq.Procs = append(u.seq.Procs, p)
	u.queue = append(u.queue, p)
	return p
}

// callees resolves a call and says what is not understood about it.
// chooseInline lowers MaxInline until the procedures of the entries are small enough
// together, or as small as they get. Programs whose function pointers are coarse would
// have copies of everything everywhere.
func (u *unfolder) chooseInline(roots []*ir.Func) {
	if u.opt.MaxInline == 0 {
		u.opt.MaxInline = 3000
	}
	if u.opt.MaxTotal == 0 {
		u.opt.MaxTotal = 30000
	}
	for ; u.opt.MaxInline > 50 && u.total(roots) > u.opt.MaxTotal; u.opt.MaxInline /= 2 {
		u.size = map[*ir.Func]int{}
	}
}

// total is the size of the procedures that the entries would have.
func (u *unfolder) total(roots []*ir.Func) int {
	n, seen, work := 0, map[*ir.Func]bool{}, slices.Clone(roots)
	for _, f := range roots {
		seen[f] = true
	}
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		n += u.weight(f)
		u.remaining(f, map[*ir.Func]bool{f: true}, func(g *ir.Func) {
			if !seen[g] {
				seen[g] = true
				work = append(work, g)
			}
		})
	}
	return n
}

// remaining calls proc with the functions that stay calls in f and what is inlined into
// it.
func (u *unfolder) remaining(f *ir.Func, seen map[*ir.Func]bool, proc func(*ir.Func)) {
	for in := range f.Instrs() {
		for _, g := range u.called(in, f) {
			switch {
			case !u.inlines(f, g):
				proc(g)
			case !seen[g]:
				seen[g] = true
				u.remaining(g, seen, proc)
			}
		}
	}
}

// weight is the size of f after inlining what it calls, but for functions on a cycle with
// it: those stay calls.
func (u *unfolder) weight(f *ir.Func) int {
	if n, ok := u.size[f]; ok {
		return n
	}
	n := 0
	for _, b := range f.Blocks {
		n += len(b.Instrs) + 1
		for _, in := range b.Instrs {
			for _, g := range u.called(in, f) {
				if u.inlines(f, g) {
					n += u.weight(g)
				}
			}
		}
	}
	u.size[f] = n
	return n
}

// inlines reports whether a call of g in f is replaced by g's body.
func (u *unfolder) inlines(f, g *ir.Func) bool {
	return u.cycle[f] != u.cycle[g] && u.weight(g) <= u.opt.MaxInline
}

func (u *unfolder) called(in ir.Instr, f *ir.Func) []*ir.Func {
	switch in := in.(type) {
	case *ir.Call:
		if d, ok := in.Callee.(ir.FuncAddr); ok {
			return []*ir.Func{d.Func}
		}
		fns, _ := u.res.Callees(in)
		return fns
	case *ir.Once:
		return u.res.Funcs(in.Fn, f)
	}
	return nil
}
