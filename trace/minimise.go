package trace

import (
	"fmt"

	"whoop/ir/interp"
)

// maxTries bounds how many shorter schedules are tried, maxSteps how many steps that
// takes in all.
const maxTries, maxSteps = 2000, 1_000_000

// maxRuns is how many runs a schedule has at most that is shortened: there are as many
// shorter ones, and each is as long.
const maxRuns = 500

// Shortest runs a trace, shortens it, and runs what is left, which it returns. No step of
// a livelock is left out, which would change its cycle. An error says where the trace
// does not replay.
func Shortest(m *interp.Program, h interp.Harness, t *Trace) (*Execution, error) {
	x, err := Replay(m, h, t)
	if err != nil || t.Bug.Kind == "livelock" {
		return x, err
	}
	if x, err = Replay(m, h, Minimise(m, h, t)); err != nil {
		return nil, fmt.Errorf("a shortened trace does not replay: %w", err)
	}
	return x, nil
}

// Minimise shortens a trace that replays, until no single change makes it shorter: a run
// is left out, or cut by a step, or joined with the next run of its thread, earlier or
// later, or goes on for some steps (a thread that is left just before it ends or blocks
// is charged a preemption that way), or changes places with the run after it. Fewer
// preemptions come first, then fewer switches, then fewer steps. It is deterministic.
func Minimise(m *interp.Program, h interp.Harness, t *Trace) *Trace {
	if len(t.Schedule) > maxRuns {
		return t
	}
	best, cost := t, costOf(m, h, t)
	tries, steps := 0, 0
	for cost != nil && tries < maxTries && steps < maxSteps {
		found := false
		for _, s := range shorter(best.Schedule) {
			steps += cost[2]
			if tries++; tries > maxTries || steps > maxSteps {
				break
			}
			c := *best
			c.Schedule = s
			if n := costOf(m, h, &c); n != nil && less(n, cost) {
				best, cost, found = &c, n, true
				break
			}
		}
		if !found {
			break
		}
	}
	return best
}

// costOf is the preemptions, switches and steps of a trace; nil where it does not show
// the bug.
func costOf(m *interp.Program, h interp.Harness, t *Trace) []int {
	p, err := play(m, h, t, true)
	if err != nil {
		return nil
	}
	n := 0
	for _, r := range t.Schedule {
		n += r.Steps
	}
	return []int{p.x.Preemptions, p.x.Switches, n}
}

func less(a, b []int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// shorter lists schedules that may be simpler.
func shorter(s []Run) [][]Run {
	var out [][]Run
	add := func(r []Run) { out = append(out, join(r)) }
	for i := range s {
		add(append(append([]Run(nil), s[:i]...), s[i+1:]...)) // left out
	}
	for i := range s {
		for j := i + 1; j < len(s); j++ {
			if s[j].Thread != s[i].Thread {
				continue
			}
			// the later run comes right after the earlier one
			early := append([]Run(nil), s[:i+1]...)
			early = append(early, s[j])
			early = append(early, s[i+1:j]...)
			add(append(early, s[j+1:]...))
			late := append([]Run(nil), s[:i]...) // the earlier one right before the later one
			late = append(late, s[i+1:j]...)
			late = append(late, s[i])
			add(append(late, s[j:]...))
			break
		}
	}
	for i := range s {
		for _, k := range []int{s[i].Steps / 2, 1} {
			if k > 0 && k < s[i].Steps {
				c := append([]Run(nil), s...)
				c[i].Steps -= k
				add(c)
			}
		}
	}
	for i := range s {
		for k := 1; k <= maxLonger; k *= 2 {
			add(longer(s, i, k))
		}
	}
	for i := 0; i+1 < len(s); i++ {
		c := append([]Run(nil), s...)
		c[i], c[i+1] = c[i+1], c[i]
		add(c)
	}
	return out
}

// maxLonger bounds by how many steps a run is made longer at once.
const maxLonger = 8

// longer lets run i take k steps more, those of the next runs of its thread or, after the
// last, additional ones.
func longer(s []Run, i, k int) []Run {
	var out []Run
	left := k
	for j, r := range s {
		switch {
		case j == i:
			r.Steps += k
		case j > i && r.Thread == s[i].Thread:
			n := min(left, r.Steps)
			left -= n
			if r.Steps -= n; r.Steps == 0 {
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// join merges neighbours of one thread.
func join(s []Run) []Run {
	var out []Run
	for _, r := range s {
		if n := len(out) - 1; n >= 0 && out[n].Thread == r.Thread {
			out[n].Steps += r.Steps
		} else {
			out = append(out, r)
		}
	}
	return out
}
