package explicit

import (
	"context"
	"errors"
	"fmt"
	"runtime/metrics"

	"whoop/ir"
	"whoop/trace"
)

// Options say what is looked for.
type Options struct {
	// Wanted are the assertions that matter; where another one fails, the execution ends.
	Wanted func(*ir.Assert) bool
	// MayRace are the accesses that are not proved to be free of races; nil: all are not.
	MayRace func(ir.Instr) bool
	// Races, where not nil, are the accesses that may race, and whether they do is looked
	// for: Proved says that no two of them are about to be executed side by side. There
	// is no Trace then. Views must not be 1.
	Races func(ir.Instr) bool
	// Values is how many values of a place are told apart before they become classes.
	Values int
	// Views is how many threads of those started in loops are looked at together; 0: all
	// threads there are.
	Views int
	// Counted: with views, it is counted how many of the threads were started, and how
	// many have ended; there must not be many.
	Counted bool
	// States bounds the states that are kept.
	States int
	// Memory, where not 0, is how many bytes may be alive on the heap when the search
	// goes on.
	Memory uint64
	// Threads, where not 0, is how many threads there are at most; executions with more
	// are left out, and there is no proof where there are any.
	Threads int
	// Forget: what comparisons tell of inputs that are in shared memory is forgotten from
	// step to step; which of them are equal is not.
	Forget bool
	// Last, where not nil, is a function whose threads take their steps as late as
	// possible, and main's as early as possible. It only matters for how soon something
	// is found.
	Last *ir.Func

	// threads of this function alone have their values told apart coarsely
	rough   *ir.Func
	spans   map[*ir.Global]span // what long arrays hold
	element *element            // the one of its array that is followed; nil: all are
	// all threads but main's are looked at as those started in loops are
	crowd bool
}

// Result is the answer.
type Result struct {
	// Proved: no assertion that matters fails in any execution. Else Reason says why that
	// is not known, and Fails which assertion may, if one may.
	Proved bool
	Reason string
	Fails  ir.Instr
	// Trace is an execution in which it does, where one was found that the interpreter
	// confirms.
	Trace  *trace.Trace
	States int
	// Assumptions are what the result rests on, besides the program's own.
	Assumptions []ir.Assumption
}

// numbers gives numbers to states, after their keys.
type numbers[T any] struct {
	ids  map[string]int32
	list []T
}

func (n *numbers[T]) number(key string, x T) int32 {
	if id, ok := n.ids[key]; ok {
		return id
	}
	id := int32(len(n.list))
	n.ids[key] = id
	n.list = append(n.list, x)
	return id
}

// errLimit ends a search that has become too large.
var errLimit = errors.New("too many states")

// Check looks at all executions of a program with a main function.
func Check(ctx context.Context, q *ir.Program, opt Options) (*Result, error) {
	r, _, err := check(ctx, q, opt)
	return r, err
}

func check(ctx context.Context, q *ir.Program, opt Options) (*Result, *program, error) {
	p, err := load(ctx, q, opt)
	if err != nil {
		return nil, nil, err
	}
	r := &Result{Assumptions: p.assumptions}
	s := &search{ctx: ctx, p: p, posts: map[uint64][]step{}, near: map[uint64][]access{}}
	if opt.Views > 0 {
		r.Fails, err = s.views(opt.Views)
	} else {
		r.Fails, err = s.all()
	}
	r.States = s.count
	var why surprise
	switch {
	case s.race != "":
		r.Reason = s.race
	case errors.As(err, &why):
		r.Reason = why.why
	case err != nil:
		r.Reason = err.Error()
	case s.left > 0 && r.Fails == nil:
		r.Reason = fmt.Sprintf("executions with more than %d threads were left out", opt.Threads)
	case r.Fails != nil:
		if len(s.moves) > 0 {
			r.Trace = replay(q, s.moves, r.Fails)
		}
		r.Reason = fmt.Sprintf("the assertion at %s may fail", r.Fails.At())
	default:
		r.Proved = true
	}
	return r, p, ctx.Err()
}

func (s surprise) Error() string { return s.why }

// errMemory ends a search that needs too much memory.
var errMemory = errors.New("too much memory")

// alive is how many bytes were alive on the heap after the last collection.
func alive() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// A search goes over states.
type search struct {
	ctx   context.Context
	p     *program
	posts map[uint64][]step
	near  map[uint64][]access // what a thread is about to access
	race  string              // what may race; "" for nothing
	// count is the states, ticks how often that was asked.
	count, ticks int
	left         int    // executions that were left out
	moves        []move // those that lead to a failing assertion
}

// tick is called for each state; large ones count several times.
func (s *search) tick(n int) error {
	s.count += n
	if s.count > s.p.opt.States || len(s.p.shareds.list)+len(s.p.locals.list) > s.p.opt.States {
		return errLimit
	}
	if s.ticks++; s.ticks%256 == 0 {
		if s.p.opt.Memory > 0 && s.ticks%4096 == 0 && alive() > s.p.opt.Memory {
			return errMemory
		}
		return s.ctx.Err()
	}
	return nil
}

// post are the ways in which a thread may take its next step.
func (s *search) post(sh, lo int32) (out []step, err error) {
	k := pair(sh, lo)
	if out, ok := s.posts[k]; ok {
		return out, nil
	}
	a, l := s.p.shareds.list[sh], s.p.locals.list[lo]
	if !a.busy || l.depth > 0 {
		seen := map[[2]int32]bool{}
		total := 0
		for script, n := []int(nil), 0; ; n++ {
			if n > maxOutcomes {
				return nil, surprise{fmt.Sprintf("%d ways to go on", n)}
			}
			if total > maxTotal {
				return nil, surprise{fmt.Sprintf("%d ways to go on, which are long", n)}
			}
			if n%8 == 7 && s.ctx.Err() != nil {
				return nil, s.ctx.Err()
			}
			x := s.p.newExec(a, l, script)
			st, ok, err := x.outcome()
			if err != nil {
				return nil, err
			}
			s.approach(k, x)
			total += x.steps
			ok = ok && (st.fails == nil || !x.excused())
			if ok && s.p.opt.Threads > 0 && x.s.threads > s.p.opt.Threads {
				s.left++
				ok = false
			}
			if at := [2]int32{st.shared, st.local}; ok && (st.fails != nil || len(st.spawned) > 0 || !seen[at]) {
				seen[at] = true
				st.script = script
				out = append(out, st)
			}
			if script, ok = x.next(); !ok {
				break
			}
		}
	}
	s.p.learn()
	s.posts[k] = out
	return out, nil
}

// outcome runs the exec to its end; ok is false where the execution goes on no further.
func (x *exec) outcome() (st step, ok bool, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case dropped:
			ok = false
		case failure:
			st, ok = step{fails: e.at, local: -1}, true
		case surprise:
			err = e
		default:
			panic(e)
		}
	}()
	x.run()
	return x.keep(), true, nil
}

// first is the state at the start: main's thread.
func (s *search) first() (sh, lo int32) {
	p := s.p
	a := p.start.clone()
	a.ended, a.results, a.uses = []bool{false}, []val{{}}, []uint8{0}
	l := &local{thread: mainThread, frames: []frame{{fn: p.main, regs: make([]val, len(p.main.list))}}}
	return p.shareds.number(p.sharedKey(a), a), p.locals.number(p.localKey(l), l)
}
