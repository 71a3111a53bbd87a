package dpor

import (
	"fmt"
	"slices"

	"whoop/ir/vm"
)

// What an event touches may depend on the answers to its queries: a select statement
// takes this channel or that one. A thread sleeps whatever the answers are, so it is woken
// by what conflicts with its event under any of them. Answers under which nothing
// conflicts are then not explored again, by optimal-DPOR: source-DPOR needs the races of
// their events behind each thread that is explored before, and so finds the same
// execution more than once.

// answeredElsewhere notes what a thread's event touches from a node, with any answers,
// when it is explored for the first time there. With the answers that the machine has just
// made it with it may be explored elsewhere: then that is taken back, and noted, and the
// result is true.
func (s *Search) answeredElsewhere(n *node, t, mark int, script []int) bool {
	given := padded(script, len(s.m.Asked()))
	ops := slices.Clone(s.m.Ops())
	if len(n.done) == 0 {
		asked := slices.Clone(s.m.Asked())
		s.m.Undo(mark)
		n.own()
		n.touches, n.parts = nil, nil
		s.tried = 0
		s.tryAnswers(n, t, nil)
		s.m.Step(t, given)
		s.looked += int64(len(asked)) + 1
	}
	if !s.sleepsWith(n, t, given) {
		n.parts = append(n.parts, branch{Thread: int32(t), Ops: ops, Script: given})
		return false
	}
	n.thread = int32(t)
	n.asks(s.m.Asked())
	n.explored |= 1 << t
	n.backtrack |= 1 << t
	s.m.Undo(mark)
	n.parts = append(n.parts, branch{Thread: int32(t), Ops: ops, Script: given})
	if !n.finish(given) {
		s.restAnswered(n, int32(t))
	}
	return true
}

// restAnswered makes a thread sleep at a node where its event has queries.
func (s *Search) restAnswered(n *node, t int32) {
	s.rest(n, sleeper{thread: t}, n.touches)
	if s.opt.Algorithm != Optimal {
		return
	}
	for i := range n.parts {
		s.rest(n, sleeper{thread: t, part: &n.parts[i]}, n.parts[i].Ops)
	}
}

// maxAnswers is how many combinations of answers to the queries of one event are tried:
// an event that has more ends the search.
const maxAnswers = 4096

// tryAnswers collects what a thread's next event touches with answers that begin so.
func (s *Search) tryAnswers(n *node, t int, script []int) {
	if s.tried++; s.tried > maxAnswers {
		if !s.done {
			s.stop(fmt.Sprintf("an event has more than %d combinations of answers to its queries", maxAnswers))
		}
		return
	}
	mark := s.m.Mark()
	done := s.m.Step(t, script)
	asked := slices.Clone(s.m.Asked())
	if done {
		n.touches = appendNew(n.touches, s.m.Ops())
		s.m.Undo(mark)
	} else {
		n.touches = appendNew(n.touches, s.m.Tried())
	}
	for p := len(script); p < len(asked); p++ {
		for k := 1; k < asked[p]; k++ {
			other := make([]int, p+1)
			copy(other, script)
			other[p] = k
			s.tryAnswers(n, t, other)
		}
	}
}

// varies reports whether an event of a thread from the last node touches something else
// with other answers.
func (s *Search) varies(t int) bool {
	n := &s.nodes[len(s.nodes)-1]
	return s.reduces() && (int(n.thread) != t || slices.ContainsFunc(n.touches, func(o vm.Op) bool {
		return !slices.Contains(s.m.Ops(), o)
	}))
}

// appendNew appends the operations that are not there.
func appendNew(to, ops []vm.Op) []vm.Op {
	for _, o := range ops {
		if !slices.Contains(to, o) {
			to = append(to, o)
		}
	}
	return to
}

// sleepsWith reports whether what a thread does with certain answers is explored
// elsewhere.
func (s *Search) sleepsWith(n *node, t int, script []int) bool {
	return slices.ContainsFunc(s.sleep[n.sleep:n.sleep+n.nsleep], func(q sleeper) bool {
		return q.part != nil && int(q.thread) == t && slices.Equal(q.part.Script, script)
	})
}
