package explicit

import (
	"context"

	"whoop/ir"
)

// In a loop of many rounds, what a thread counts multiplies the states of all others.
// Where the counters of one kind of threads do not matter, its values are told apart
// coarsely, and those of all others exactly. Long arrays of numbers are not followed
// element by element then: of each it is known which interval all elements are in, at any
// time. That is guessed, and made larger until nothing else is written.

// longArray is how many elements an array has at least of which only an interval is
// known.
const longArray = 64

// summaries are the intervals of long arrays, by the numbers of their globals. grown:
// something else was written.
type summaries struct {
	spans map[int32]span
	elem  map[int32]ir.Int
	grown bool
}

// findSummaries finds the long arrays of numbers.
func (p *program) findSummaries() {
	if p.opt.rough == nil {
		return
	}
	p.sums = &summaries{spans: map[int32]span{}, elem: map[int32]ir.Int{}}
	for _, g := range p.prog.Globals {
		a, ok := g.Type.(ir.Array)
		t, num := a.Elem.(ir.Int)
		if !ok || !num || a.Len < longArray || t.Bits > 64 || len(g.Init) > 0 || g.Extern || g.ThreadLocal {
			continue
		}
		id := p.globs[g]
		p.sums.elem[id] = t
		p.sums.spans[id] = one(0)
		if s, ok := p.opt.spans[g]; ok {
			p.sums.spans[id] = s
		}
	}
}

// summarised is the interval of an object's elements, where only that is known.
func (p *program) summarised(id int32) (span, bool) {
	if p.sums == nil || id < 0 {
		return span{}, false
	}
	s, ok := p.sums.spans[id]
	return s, ok
}

func (p *program) isSummarised(id int32) bool {
	_, ok := p.summarised(id)
	return ok
}

// writeSummary notes what is written to a long array.
func (x *exec) writeSummary(id int32, size int64, v val) {
	x.effect = true
	t := x.p.sums.elem[id]
	all, _ := limits(t)
	r, ok := x.span(v)
	if !ok || size != t.Size() || !r.within(all) {
		r = all
	}
	if s := x.p.sums.spans[id]; !r.within(s) {
		x.p.sums.spans[id] = span{lo: min(r.lo, s.lo), hi: max(r.hi, s.hi)}
		x.p.sums.grown = true
	}
}

// maxGuesses bounds how often the intervals of long arrays are made larger.
const maxGuesses = 6

// Roughly is Check with the values of one kind of threads told apart coarsely, for each
// kind of threads: a proof for one of them is one.
func Roughly(ctx context.Context, q *ir.Program, opt Options) (*Result, error) {
	out := &Result{Reason: "no thread is started"}
	states, tried := 0, 0
	for _, e := range q.Entries {
		if !e.Spawned || e.Func == nil || tried == maxKinds {
			continue
		}
		tried++
		opt.rough, opt.spans = e.Func, map[*ir.Global]span{}
		for range maxGuesses {
			r, p, err := check(ctx, q, opt)
			if err != nil {
				return nil, err
			}
			states += r.States
			if out = r; !r.Proved || !p.sums.grown {
				break
			}
			out.Proved, out.Reason = false, "the intervals of arrays do not settle"
			for g, id := range p.globs {
				if s, ok := p.summarised(id); ok {
					opt.spans[g] = s
				}
			}
		}
		out.States, out.Trace = states, nil
		if out.Proved {
			break
		}
	}
	return out, nil
}

// maxKinds bounds the kinds of threads that are tried.
const maxKinds = 4
