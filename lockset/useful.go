package lockset

import (
	"slices"

	"whoop/summaries"
)

// useless are the guesses that help to prove nothing: those that no procedure assumes in
// which something is asked, or a guess is proved that helps. A guess about a lock helps
// with the same lock alone; where tokens are asked for, any may help. What Houdini does
// not believe it does not assume, so leaving guesses out costs precision at most.
func (x *instrumenter) useless(procs []*summaries.Proc) []int {
	type need struct {
		some, tokens bool
		locks        map[*guard]bool
	}
	useful := make([]bool, x.n)
	for id := range x.n {
		_, guess := x.guesses[id]
		useful[id] = !guess || x.claims[id] != nil || x.dead[id] != nil || x.handovers[id] != nil
	}
	about := func(id int) *guard { // nil: tokens, or several guards
		if g, guess := x.guesses[id]; guess && g != nil && isLock(g) {
			return g
		}
		if c := x.claims[id]; c != nil && isLock(c.fn) {
			return c.fn
		}
		return nil
	}
	needs := make([]need, len(procs))
	for i := range needs {
		needs[i].locks = map[*guard]bool{}
	}
	for again := true; again; {
		again = false
		for i, p := range slices.Backward(procs) {
			n := &needs[i]
			for _, o := range p.VC.Obligations {
				if !useful[o.ID] {
					continue
				}
				n.some = true
				if g := about(o.ID); g != nil {
					n.locks[g] = true
				} else {
					n.tokens = true
				}
			}
			if !n.some {
				continue
			}
			for _, id := range p.VC.Assumed {
				if g := about(id); !useful[id] && (g == nil || n.tokens || n.locks[g]) {
					useful[id], again = true, true
				}
			}
		}
	}
	var out []int
	for id := range x.n {
		if !useful[id] {
			out = append(out, id)
		}
	}
	return out
}
