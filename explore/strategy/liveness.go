package strategy

import (
	"fmt"
	"strings"

	"whoop/explore"
	"whoop/ir"
)

// liveStates is how many states liveness visits where nothing else ends it: all are kept.
const liveStates = 1 << 19

// liveness looks for fair executions that go on for ever.
func (r *run) liveness() error {
	o := explore.LivenessOptions{Failures: r.opt.Failures, Context: r.opt.Context, MaxStates: int(r.opt.MaxStates)}
	if o.MaxStates == 0 {
		o.MaxStates = liveStates
	}
	if r.opt.WeakFairness {
		o.Fairness = explore.Weak
	}
	for _, name := range r.opt.Hot {
		g, err := global(r.p, name)
		if err != nil {
			return err
		}
		o.Hot = append(o.Hot, g)
	}
	if r.opt.Progress != nil {
		o.Progress = func(n int) { r.opt.Progress(Progress{Executions: int64(n)}) }
	}
	x, err := explore.Liveness(r.m, r.h, o)
	if err != nil {
		return err
	}
	r.res.Notes = append(r.res.Notes, "only executions that go on for ever were looked for; other strategies look for errors")
	r.res.Executions, r.res.States = int64(x.Executions), int64(x.States)
	for _, f := range x.Findings {
		r.res.Longest = max(r.res.Longest, len(f.Schedule))
		if err := explore.Replay(r.m, r.h, f); err != nil {
			r.incomplete("internal error, please report it: %s does not replay: %v", f.Key(), err)
			continue
		}
		r.keep(f)
	}
	switch {
	case !x.Complete:
		r.incomplete("%s", x.Reason)
	case x.Sampled:
		r.incomplete(NumbersTried)
	}
	r.res.Complete = r.res.Reason == ""
	return nil
}

// global is the global variable with a name; of Go, without its package.
func global(p *ir.Program, name string) (*ir.Global, error) {
	if g := p.GlobalByName(name); g != nil && !g.ThreadLocal {
		return g, nil
	}
	var found *ir.Global
	for _, g := range p.Globals {
		if !strings.HasSuffix(g.Name, "."+name) || g.ThreadLocal {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("there are several variables %s: %s and %s", name, found.Name, g.Name)
		}
		found = g
	}
	if found == nil {
		return nil, fmt.Errorf("the program has no global variable %s", name)
	}
	return found, nil
}
