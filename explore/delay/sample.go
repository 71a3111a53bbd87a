package delay

import (
	"math/rand/v2"

	"whoop/ir/vm"
)

// Sampler draws executions from the strata of an explorer: 100 of those without delays,
// then 100+3 samples with a delay, 100+9 with two, and so on. A sample with d delays runs
// the program d+1 times: the place of each delay is drawn from the execution with the
// delays before it.
type Sampler struct {
	history
	draw  *rand.Rand
	bound int // the greatest number of delays; -1: none
	d     Explorer
	// path are the places of the delays: each is how many events and queries come behind
	// the one before.
	path    []int
	next    int // of path
	behind  int // events and queries since the last delay
	delays  int // of the samples now
	samples int // that are left with so many delays
}

// NewSampler makes a sampler.
func NewSampler(mk func() Explorer, seed uint64, bound int) *Sampler {
	return &Sampler{history: history{make: mk}, draw: rand.New(rand.NewPCG(seed, 0x73616d70)), bound: bound, samples: samplesOf(0)}
}

// samplesOf is how many samples are drawn with so many delays.
func samplesOf(delays int) int {
	n := 1
	for range min(delays, 30) {
		n *= 3
	}
	return 100 + n
}

// Next is the thread that goes on, of those that can, behind so many events of the
// current execution; last is the thread of the last one.
func (s *Sampler) Next(m *vm.Machine, events, last int, enabled []int) int {
	if events == 0 {
		s.begun(m)
	} else {
		s.tell(s.d, m, last)
	}
	can := uint64(0)
	for _, t := range enabled {
		can |= 1 << t
	}
	if can != s.last.Enabled { // sections turned out to block
		s.last.Enabled = can
		s.d.Step(s.last)
	}
	for range s.due() {
		s.d.Delay()
	}
	return s.d.Next()
}

// due is how many delays are at the current place, which is left.
func (s *Sampler) due() (n int) {
	for s.next < len(s.path) && s.path[s.next] == s.behind {
		s.next, s.behind = s.next+1, 0
		n++
	}
	s.behind++
	return n
}

// Answer is the alternative of a query with n of them.
func (s *Sampler) Answer(n int) int { return min(s.due(), n-1) }

// begun begins an execution; the one before tells where its next delay can be.
func (s *Sampler) begun(m *vm.Machine) {
	if s.d != nil {
		s.over()
	}
	s.d, s.next, s.behind = s.history.begin(m), 0, 0
}

// over is the end of an execution.
func (s *Sampler) over() {
	if len(s.path) < s.delays && s.behind > 0 {
		s.path = append(s.path, s.draw.IntN(s.behind))
		return
	}
	s.path = s.path[:0]
	if s.samples--; s.samples == 0 {
		if s.delays++; s.bound >= 0 && s.delays > s.bound {
			s.delays = 0
		}
		s.samples = samplesOf(s.delays)
	}
}
