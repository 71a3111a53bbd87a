package dpor

import (
	"fmt"

	"whoop/explore"
	"whoop/ir/interp"
)

// Path is the execution that leads to something that went wrong, for explore.Follow: all
// events so far, or, for a race, those that come before both of its accesses.
func (s *Search) Path(f Found) explore.Path {
	p := explore.Path{Deadlock: f.Deadlock}
	for t := range s.m.Threads() {
		parent, k := s.m.Parent(t)
		p.Parents = append(p.Parents, [2]int{parent, k})
	}
	switch {
	case f.Failure != nil:
		p.Kind, p.Thread, p.At = f.Failure.Kind, f.Failure.Thread, f.Failure.Src
	case f.race():
		p.Thread, p.At = s.Thread(f.First), f.FirstAt
		p.Other, p.OtherAt = s.second(f), f.SecondAt
	}
	x, n := s.events, len(s.events)
	if f.race() {
		n = min(n, f.Second)
	}
	var left []int32 // events that are left out, and that others are left out for
	for i := range int32(n) {
		if x[i].failed && (f.Failure == nil || int(i)+1 < n) {
			continue // it would end the execution
		}
		if x[i].parked && !(f.race() && int(i) == f.First) {
			continue
		}
		out := f.race() && int(i) == f.First || x[i].broke && int(i)+1 < len(x) && !s.needs(f, i)
		for _, j := range left {
			out = out || s.clocks.event(i)[x[j].thread] >= x[j].index
		}
		if out {
			left = append(left, i)
			continue
		}
		p.Steps = append(p.Steps, s.pathStep(int(i)))
	}
	return p
}

// over reports whether an error comes after one in the middle of an atomic section, which
// has ended the execution. Without that, it is found where it comes about before.
func (s *Search) over(f Found) bool {
	for i := range int32(len(s.events) - 1) {
		if s.events[i].broke && s.needs(f, i) {
			return true
		}
	}
	return false
}

// second is the thread of the second access of a race.
func (s *Search) second(f Found) int {
	if k := f.Second - len(s.events); k >= 0 {
		return int(s.pend[k].thread)
	}
	return s.Thread(f.Second)
}

// needs reports whether what went wrong could not come about without an event.
func (s *Search) needs(f Found, i int32) bool {
	e := &s.events[i]
	switch {
	case f.Deadlock:
		return true
	case f.race():
		before := s.clockBefore(int32(f.Second))
		return s.clocks.event(int32(f.First))[e.thread] >= e.index || before[e.thread] >= e.index
	}
	return s.clocks.event(int32(len(s.events) - 1))[e.thread] >= e.index
}

func (s *Search) pathStep(i int) explore.Step {
	e := &s.events[i]
	st := explore.Step{Thread: int(e.thread)}
	if e.at >= 0 {
		st.At = s.m.Program().Source(e.at)
	}
	end := int32(len(s.own))
	if i+1 < len(s.events) {
		end = s.events[i+1].own
	}
	for _, o := range s.own[e.own:end] {
		st.Own = append(st.Own, explore.StepOwn{Thread: o.Thread, At: o.Src, N: o.N})
	}
	for _, a := range s.Answers(i) {
		st.Answers = append(st.Answers, explore.StepAnswer{Thread: a.Thread, At: a.Src, Value: a.Value})
	}
	return st
}

// Key tells things that go wrong apart: by kind, and where they are.
type Key struct {
	Kind    interp.ErrorKind
	At, At2 any // of a race: both instructions
	where   string
}

// KeyOf is the key of something that went wrong.
func (s *Search) KeyOf(f Found) Key {
	switch {
	case f.Failure != nil:
		return Key{Kind: f.Failure.Kind, At: f.Failure.Src}
	case f.Deadlock:
		var at []byte
		for t := range s.m.Threads() {
			src, _ := s.m.Place(t)
			at = fmt.Appendf(at, "%p ", src)
		}
		return Key{Kind: explore.KindDeadlock, where: string(at)}
	}
	return Key{Kind: explore.KindRace, At: f.FirstAt, At2: f.SecondAt}
}
