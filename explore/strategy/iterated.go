package strategy

import "fmt"

// Iterated is the strategy that draws each next thread, as random does, in executions
// that are left after so many events, 100 at first and 100 more each time: most bugs are
// not far from the start, and a random choice is the less likely to show one the longer
// executions are (iterative random scheduling, in Desai, Qadeer, Seshia: Systematic
// testing of asynchronous reactive systems, ESEC/FSE 2015, 6.1).
const Iterated = "irs"

// iteratedDepth is by how many events executions get longer from stratum to stratum.
const iteratedDepth = 100

// iteratedSamples is how many executions a stratum has.
func iteratedSamples(stratum int) int64 {
	n := int64(1)
	for range min(stratum, 30) {
		n *= 3
	}
	return 100 + n
}

// iterated draws executions stratum by stratum.
func (r *run) iterated() error {
	x := r.res
	for i := 0; x.Executions < r.opt.Executions; i++ {
		sub := *r
		sub.res = &Result{}
		sub.opt.Strategy, sub.opt.Seed = "random", r.opt.Seed+uint64(i)
		sub.opt.MaxEvents = min(iteratedDepth*(i+1), r.opt.MaxEvents)
		sub.opt.Executions = min(iteratedSamples(i), r.opt.Executions-x.Executions)
		if p := r.opt.Progress; p != nil {
			before := x.Executions
			sub.opt.Progress = func(q Progress) { p(Progress{Executions: before + q.Executions, Total: float64(r.opt.Executions)}) }
		}
		if err := sub.machine(); err != nil {
			return err
		}
		y := sub.res
		x.Traces, x.Findings = append(x.Traces, y.Traces...), append(x.Findings, y.Findings...)
		x.Executions, x.Stuck, x.Deadlocks, x.Events = x.Executions+y.Executions,
			x.Stuck+y.Stuck, x.Deadlocks+y.Deadlocks, x.Events+y.Events
		x.Longest, x.Strata = max(x.Longest, y.Longest), append(x.Strata, y.Executions)
		if y.Executions < sub.opt.Executions {
			x.Reason = y.Reason // ended early
			return nil
		}
	}
	x.Reason = fmt.Sprintf("executions were drawn, of %d events at most",
		min(iteratedDepth*len(x.Strata), r.opt.MaxEvents))
	return nil
}
