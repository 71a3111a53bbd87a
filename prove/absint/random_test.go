package absint

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"whoop/explore"
	"whoop/internal/randprog"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

var (
	programs = flag.Int("programs", testscope.Count(12, 200), "how many random programs")
	seed     = flag.Int64("seed", testscope.Seed(), "the first random program")
	solve    = flag.Bool("solve", true, "look for invariants with a solver, too")
)

// TestRandom runs random programs by random schedules: what a load reads must be what the
// analysis says that it may read, and an assertion that fails must be one that may.
func TestRandom(t *testing.T) {
	unknown, incomplete, proved, asserts, forwarded := 0, 0, 0, 0, 0
	for s := *seed; s < *seed+int64(*programs) && !t.Failed(); s++ {
		p := randprog.Generate(uint64(s), randprog.Config{Size: 6 + int(s%4)*6})
		d, r := missed(p, uint64(s))
		if d != "" {
			q := randprog.Shrink(p, func(q *ir.Program) bool { d, _ := missed(q, uint64(s)); return d != "" })
			d, _ := missed(q, uint64(s))
			t.Errorf("seed %d: %s\n%s", s, d, ir.String(q))
		}
		if r == nil {
			unknown++
			continue
		}
		if r.Incomplete != "" {
			incomplete++
		}
		if r.Forwarded {
			forwarded++
		}
		for _, f := range p.Funcs {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if _, ok := in.(*ir.Assert); ok {
						if asserts++; !r.MayFail[in] {
							proved++
						}
					}
				}
			}
		}
	}
	t.Logf("%d of %d programs not followed, %d not to the end, %d with what verify proves; %d of %d assertions proved", unknown, *programs, incomplete, forwarded, proved, asserts)
}

// missed says what an execution does that the analysis missed.
func missed(p *ir.Program, seed uint64) (string, *Result) {
	if p.FuncByName("main") == nil {
		return "", nil
	}
	opt := Options{}
	if *solve {
		opt.Solver = func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{}) }
	}
	if seed%2 == 0 {
		if facts, err := pipeline.Prove(context.Background(), p, pipeline.Options{Jobs: 1}); err == nil {
			racing := pipeline.Racing(facts)
			opt.Safe = func(in ir.Instr) bool { return !racing(in) }
		}
	}
	r, err := Analyze(context.Background(), p, opt)
	if errors.Is(err, ErrUnchanged) {
		opt.Safe = nil
		r, err = Analyze(context.Background(), p, opt)
	}
	if err != nil {
		return "", nil
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		return "", nil
	}
	all, err := explore.Exhaustive(m, interp.MainOf(p.FuncByName("main")), explore.Options{Bound: -1, Cache: true, MaxStates: 20_000})
	if err != nil {
		return err.Error(), r
	}
	for _, f := range all.Findings {
		if f.Err != nil && f.Err.Kind == interp.ErrAssert && !r.MayFail[f.Err.Instr] {
			return fmt.Sprintf("the assertion at %s fails", f.Err.Instr.At()), r
		}
	}
	for k := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, k))
		s := m.Start(interp.MainOf(p.FuncByName("main")), interp.Random(seed*100+k))
		for n := 0; s.Status() == interp.Running && n < 2000; n++ {
			ts := s.Enabled()
			th := ts[rnd.IntN(len(ts))]
			if k%2 == 0 && rnd.IntN(4) > 0 && s.CanStep(0) { // main runs ahead
				th = 0
			}
			e := s.Step(th)
			l, ok := e.Instr.(*ir.Load)
			if !ok || e.Kind == interp.Failure || r.Forwarded { // some loads are none then
				continue
			}
			w, err := s.Register(th, l.Dst)
			if err != nil || len(w) != 1 {
				continue
			}
			if d := unexpected(r, l, w[0]); d != "" {
				return d, r
			}
		}
		if e := s.Err(); e != nil && e.Kind == interp.ErrAssert && !r.MayFail[e.Instr] {
			return fmt.Sprintf("the assertion at %s fails", e.Instr.At()), r
		}
	}
	return "", r
}

// unexpected says that a load read a value that it cannot read.
func unexpected(r *Result, l *ir.Load, w uint64) string {
	x := new(big.Int).SetUint64(w)
	if i, ok := l.Dst.Type.(ir.Int); ok {
		x = ir.Wrap(i, x)
	}
	v, ok := r.loads[l]
	if !ok {
		return fmt.Sprintf("the load at %s is reached", l.Pos)
	}
	if !v.Contains(x) {
		return fmt.Sprintf("the load at %s reads %s, not in %s", l.Pos, x, v)
	}
	return ""
}
