package bmc

import "whoop/smt/bv"

// slice finds what can influence the properties: the reads whose values decide paths,
// addresses, waiting or errors, the cells they read, and what is stored there. The
// contents of all other cells are left out of the formula.
type slice struct {
	seen  map[*bv.Term]bool
	reads map[*bv.Term][]*read // by variable
	cells map[*cell]bool
	by    map[*cell][]*write
	todo  []*bv.Term
}

// relevant computes the slice of an unrolling.
func relevant(u *unrolling) *slice {
	s := &slice{seen: map[*bv.Term]bool{}, reads: map[*bv.Term][]*read{}, cells: map[*cell]bool{}, by: map[*cell][]*write{}}
	for _, t := range u.threads {
		for _, p := range t.pos {
			for _, r := range p.reads {
				s.reads[r.v] = append(s.reads[r.v], r)
			}
			for _, w := range p.writes {
				for _, tg := range w.targets {
					s.by[tg.c] = append(s.by[tg.c], w)
				}
			}
		}
	}
	for _, t := range u.threads {
		for _, p := range t.pos {
			s.position(p)
		}
		// the replay follows the path through what is the thread's own, too
		for _, l := range t.log {
			s.todo = append(s.todo, l.guard)
		}
	}
	s.run()
	return s
}

// event adds the conditions of a position: they decide what happens.
func (s *slice) position(p *event) {
	s.todo = append(s.todo, p.guard)
	s.todo = append(s.todo, p.require...)
	for _, c := range p.checks {
		s.todo = append(s.todo, c.bad)
	}
	if p.enabled != nil {
		s.todo = append(s.todo, p.enabled(func(i int) *bv.Term { return p.reads[i].v }))
	}
	if p.ac == nil || !p.cut && !p.poise {
		return
	}
	for _, a := range p.ac.touches { // where a race may be
		for _, tg := range a.targets {
			s.todo = append(s.todo, tg.match)
		}
	}
}

func (s *slice) run() {
	for len(s.todo) > 0 {
		t := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if s.seen[t] {
			continue
		}
		s.seen[t] = true
		s.todo = append(s.todo, t.Args...)
		if t.Op != bv.OpVar {
			continue
		}
		for _, r := range s.reads[t] {
			for _, tg := range r.targets {
				s.todo = append(s.todo, tg.match)
				s.cell(tg.c)
			}
		}
	}
}

// cell makes a cell's contents matter.
func (s *slice) cell(c *cell) {
	if s.cells[c] {
		return
	}
	s.cells[c] = true
	for _, w := range s.by[c] {
		s.todo = append(s.todo, w.val)
		for _, tg := range w.targets {
			if tg.c == c {
				s.todo = append(s.todo, tg.match)
			}
		}
	}
}

// keeps reports whether a read's value matters.
func (s *slice) keeps(r *read) bool { return s.seen[r.v] }
