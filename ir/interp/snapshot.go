package interp

// Snapshot returns a copy of the state that runs on independently. Objects, pages of the
// object table and threads are shared until one side writes them; what is copied at once
// is the list of pages and that of threads.
func (s *State) Snapshot() *State {
	c := s.clone()
	s.epoch = newEpoch() // s no longer owns what it shares, either
	s.pagesShared, s.freedShared, s.memosShared, s.threadsShared = true, true, true, true
	return c
}

// clone is Snapshot for a state that is not changed while the clone is used.
func (s *State) clone() *State {
	c := *s
	c.epoch = newEpoch()
	c.pagesShared, c.freedShared, c.memosShared, c.threadsShared = true, true, true, true
	c.th, c.fr, c.r, c.cur = nil, nil, nil, nil
	c.ev = Event{}
	return &c
}

// Peek returns what StepVisible(t) would do, and leaves the state as it is.
func (s *State) Peek(t ThreadID) *Event { return s.clone().StepVisible(t) }
