package report

import (
	"fmt"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"whoop/diag"
	"whoop/ir"
	"whoop/trace"
)

// Steps of flows are of these kinds, as the format names them.
const (
	kindStart, kindCall, kindAccess = "enter", "call", "memory"
	kindAcquire, kindRelease        = "acquire", "release"
)

// threadFlows lead both threads from their starts over the calls and the locks that are
// taken to the accesses, and on to where these locks are given back. The accesses have the
// same place in the order of execution: nothing orders them. What one thread does is in
// order; of the others, the first thread's come first. Some viewers show the first flow
// alone, so each has the other one's access beside its own.
func (s *sarifRun) threadFlows(x diag.Race) []*sarif.ThreadFlow {
	a, b := s.flowSteps(x.First, x.Second), s.flowSteps(x.Second, x.First)
	at := a.access + b.access + 1
	a.number(1, at, at+1)
	b.number(1+a.access, at, at+len(a.steps)-a.access-1)
	return []*sarif.ThreadFlow{a.flow(1, x.First), b.flow(2, x.Second)}
}

// flowSteps are the steps of a thread; access is the number of that which races. After it
// comes the other thread's access.
type flowSteps struct {
	steps  []*sarif.ThreadFlowLocation
	access int
}

// number gives the steps their places in the order of execution: those before the access
// from first on, both accesses at, those after them from next on.
func (f *flowSteps) number(first, at, next int) {
	for i, l := range f.steps {
		switch {
		case i < f.access:
			l.WithExecutionOrder(first + i)
		case i <= f.access+1:
			l.WithExecutionOrder(at)
		default:
			l.WithExecutionOrder(next + i - f.access - 2)
		}
	}
}

func (f *flowSteps) flow(n int, a diag.Access) *sarif.ThreadFlow {
	return sarif.NewThreadFlow().WithID(fmt.Sprintf("%d: %s", n, a.Entry)).
		WithMessage(sarif.NewTextMessage(a.Entry)).WithLocations(f.steps)
}

// flowSteps are the steps that lead to an access and back, with the other one's.
func (s *sarifRun) flowSteps(a, other diag.Access) flowSteps {
	var f flowSteps
	// Viewers take level 1 for the outermost.
	add := func(p ir.Pos, depth int, text, kind string) *sarif.ThreadFlowLocation {
		l := sarif.NewThreadFlowLocation().WithLocation(s.location(p, text)).WithNestingLevel(depth + 1).AddKind(kind)
		f.steps = append(f.steps, l)
		return l
	}
	start := s.starts[a.Entry]
	for _, x := range a.Steps {
		if x.Does == "start" {
			start = x.Pos
		}
	}
	if start.File != "" {
		add(start, 0, a.Entry+" starts", kindStart)
	}
	for depth := 0; depth <= len(a.Calls); depth++ {
		for _, x := range a.Steps {
			if x.Does == "lock" && x.Depth == depth {
				add(x.Pos, depth, "takes "+plainField(x.Lock), kindAcquire)
			}
		}
		if depth < len(a.Calls) {
			add(a.Calls[depth].Pos, depth, "calls "+ir.PlainName(a.Calls[depth].Function), kindCall)
		}
	}
	f.access = len(f.steps)
	last := add(a.Pos, len(a.Calls), side(a), kindAccess).WithImportance("essential")
	if len(a.Locks) > 0 {
		state := map[string]sarif.MultiformatMessageString{}
		for i, l := range a.Locks {
			state[fmt.Sprintf("lock %d", i+1)] = *sarif.NewMultiformatMessageString().WithText(l)
		}
		last.WithState(state)
	}
	add(other.Pos, len(a.Calls), "meanwhile: "+side(other), kindAccess).WithImportance("essential")
	for _, x := range a.Steps {
		if x.Does == "unlock" {
			add(x.Pos, x.Depth, "gives back "+plainField(x.Lock), kindRelease)
		}
	}
	return f
}

// executionFlow is an execution that shows a race: a flow for each thread, with the steps
// in the order in which they were run.
func (s *sarifRun) executionFlow(x *trace.Execution) *sarif.CodeFlow {
	flows := map[int]*sarif.ThreadFlow{}
	out := sarif.NewCodeFlow().WithMessage(sarif.NewTextMessage("An execution that shows it, step by step."))
	held := map[int][]string{}
	for i, st := range x.Steps {
		if st.Text == "" || st.Pos.Line == 0 {
			continue // there is nothing to show
		}
		t := int(st.Thread)
		f := flows[t]
		if f == nil {
			name := threadName(x, t)
			f = sarif.NewThreadFlow().WithID(fmt.Sprintf("execution %d: %s", len(flows)+1, name)).WithMessage(sarif.NewTextMessage(name))
			flows[t] = f
			out.AddThreadFlow(f)
		}
		l := sarif.NewThreadFlowLocation().WithLocation(s.location(st.Pos, st.Text)).WithExecutionOrder(i + 1)
		switch {
		case st.Last:
			l.AddKind(kindAccess).WithImportance("essential")
		case len(st.Locks) > len(held[t]):
			l.AddKind(kindAcquire)
		case len(st.Locks) < len(held[t]):
			l.AddKind(kindRelease)
		case len(f.Locations) == 0:
			l.AddKind(kindStart)
		}
		held[t] = st.Locks
		f.AddLocation(l)
	}
	return out
}
