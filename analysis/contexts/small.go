package contexts

import (
	"slices"

	"whoop/ir"
)

// Small functions (an address computed, a field read, a call handed on) are called
// everywhere, and mix what their callers have. So each of their calls gets a copy, also
// where there is no room for a copy of all that lies on the path to it: first those that
// are small with all that they call, then those that are small themselves.

const (
	// smallWhole is how many instructions a function has at most that is small with all
	// that it calls: in turns, so that there is room for the smallest.
	smallWhole, smallerWhole = 240, 48
	// smallSize is how many instructions a function has at most that is small itself.
	smallSize = 15
	// readerSize is how many instructions a function has at most that reads all that its
	// callers hand it, such as one that prints: it is what mixes most.
	readerSize = 150
)

// small gives the calls of small functions that are called several times copies of their
// own, as long as there are instructions left.
func (s *splitter) small(room int) {
	sizes, sites, recursive := newSizes(s.p.Funcs), callSites(s.p.Funcs), s.recursive()
	for _, small := range []func(*ir.Func) bool{
		func(f *ir.Func) bool { return sizes.of(f) <= smallerWhole },
		func(f *ir.Func) bool { return sizes.of(f) <= smallWhole },
		func(f *ir.Func) bool { return sizes.size[f] <= smallSize || sizes.size[f] <= readerSize && readsAll(f) },
	} {
		work := append([]*ir.Func{}, s.p.Funcs...)
		for len(work) > 0 && room > 0 {
			f := work[0]
			work = work[1:]
			for _, b := range f.Blocks {
				for i, in := range b.Instrs {
					g := callee(in)
					if g == nil || sites[g] < 2 || s.g.fixed[g] || len(g.Blocks) == 0 || recursive[s.of[g]] || !small(g) || room < sizes.size[g] {
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
}

// readsAll reports whether a function reads whatever a parameter leads to.
func readsAll(f *ir.Func) bool {
	for in := range f.Instrs() {
		if t, ok := in.(*ir.Touch); ok && t.Deep {
			if at, ok := t.Addr.(ir.Use); ok && slices.Contains(f.Params, at.Reg) {
				return true
			}
		}
	}
	return false
}

// recursive are the functions of the program as it was that may call themselves.
func (s *splitter) recursive() map[*ir.Func]bool {
	members, out := map[int]int{}, map[*ir.Func]bool{}
	for _, c := range s.g.comp {
		members[c]++
	}
	for f, c := range s.g.comp {
		out[s.of[f]] = members[c] > 1 || slices.Contains(s.g.calls[f], f)
	}
	return out
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
	for in := range f.Instrs() {
		if g := callee(in); g != nil {
			out = append(out, g)
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

// of is how many instructions a function has with all that it calls, counted up to a
// little more than any limit; what calls itself counts once.
func (s *sizes) of(f *ir.Func) int {
	if n, ok := s.whole[f]; ok {
		return n
	}
	s.whole[f] = 0
	n := s.size[f]
	for _, g := range calleesOf(f) {
		if n > smallWhole {
			break
		}
		n += s.of(g)
	}
	s.whole[f] = n
	return n
}

// set says that a function is a copy.
func (s *sizes) set(c, of *ir.Func) { s.size[c], s.whole[c] = s.size[of], s.whole[of] }
