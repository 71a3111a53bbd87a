package alias

import "cmp"

// Programs in C that hand everything about as void pointers (interpreters, programs with an
// allocator of their own) have sets that lead anywhere, to each member of each object.
// Where their work goes beyond a bound, the sets are computed anew with two cells an
// object: its start, and all else. Each set then stands for one that has at least what it
// had before: an address at an offset is one at any offset but the first.

// maxWork is how often constraints react to members before that. What tells one run from
// others is computed with as many cells as the sets of the program.
const maxWork = 12_000_000

// tooMuch is the panic by which the solver asks for fewer cells.
type tooMuch struct{}

// once computes the sets, and what calls keep that were thought to have it for themselves.
// large: it takes too long.
func (s *solver) once() (keeps []string, large bool) {
	defer func() {
		if e := recover(); e != nil {
			if _, is := e.(tooMuch); !is {
				panic(e)
			}
			keeps, large = nil, true
		}
	}()
	s.enterAll()
	s.settle()
	return s.borrowed(), false
}

// worked counts what constraints are told.
func (s *solver) worked(d *set, constraints int) {
	if s.coarse || s.prog.TypeSafe {
		return
	}
	s.spent += d.len() * constraints
	if s.worlds == nil && s.spent > cmp.Or(s.opt.work, maxWork) {
		panic(tooMuch{})
	}
}
