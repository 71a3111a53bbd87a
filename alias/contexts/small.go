package contexts

import "whoop/ir"

// Small functions (an address computed, a field read, a call handed on) are called everywhere, and mix what their callers have. So each
// of their calls gets a copy, also where there is no room for a copy of all that lies on the path to it.

// smallSize is how many instructions a small function has at most, with all that it calls.
const smallSize = 48

// small gives the calls of small functions that are called several times copies of their own, as long as there are instructions left.
func (s *splitter) small(room int) {
	sizes, sites := newSizes(s.p.Funcs), callSites(s.p.Funcs)
	work := append([]*ir.Func{}, s.p.Funcs...)
	for len(work) > 0 && room > 0 {
		f := work[0]
		work = work[1:]
		for _, b := range f.Blocks {
			for i, in := range b.Instrs {
				g := callee(in)
				if g == nil || sites[g] < 2 || s.g.fixed[g] || len(g.Blocks) == 0 || sizes.of(g) > smallSize || room < sizes.of(g) {
					continue
				}
				c := ir.CloneFunc(g)
				c.Copy = g.Title()
				c.Name = s.name(c.Copy)
				s.of[c] = s.of[g]
				sites[g]--
				for _, h := range calleesOf(c) {
					sites[h]++
				}
				room -= sizes.size[g]
				sizes.set(c, g)
				b.Instrs[i] = retarget(in, c)
				s.p.Funcs = append(s.p.Funcs, c)
				work = append(work, c)
			}
		}
	}
}

func callSites(fs []*ir.Func) map[*ir.Func]int {
	out := map[*ir.Func]int{}
	for _, f := range fs {
		for _, g := range calleesOf(f) {
			out[g]++
		}
	}
	return out
}

// calleesOf lists the functions that a function calls directly, once for each call.
func calleesOf(f *ir.Func) []*ir.Func {
	var out []*ir.Func
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if g := callee(in); g != nil {
				out = append(out, g)
			}
		}
	}
	return out
}

// sizes are the numbers of instructions of functions, and with all that they call.
type sizes struct {
	size, whole map[*ir.Func]int
}

func newSizes(fs []*ir.Func) *sizes {
	s := &sizes{size: map[*ir.Func]int{}, whole: map[*ir.Func]int{}}
	for _, f := range fs {
		for _, b := range f.Blocks {
			s.size[f] += len(b.Instrs) + 1
		}
	}
	return s
}

// of is how many instructions a function has with all that it calls; more than any limit where it is recursive.
func (s *sizes) of(f *ir.Func) int {
	if n, ok := s.whole[f]; ok {
		return n
	}
	s.whole[f] = smallSize + 1 // while it is counted: it calls itself
	n := s.size[f]
	for _, g := range calleesOf(f) {
		if n > smallSize {
			break
		}
		n += s.of(g)
	}
	s.whole[f] = n
	return n
}

// set says that a function is a copy.
func (s *sizes) set(c, of *ir.Func) { s.size[c], s.whole[c] = s.size[of], s.whole[of] }
