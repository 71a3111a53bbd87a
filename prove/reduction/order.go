package reduction

import (
	"fmt"
	"slices"
	"strings"
)

// An order says which thread is preferred. main always is; the others are in groups, of
// which the first is preferred. In a group, the first thread that has not ended is. Where
// a thread has ended an iteration of a loop, its group becomes the last. So groups go
// round together, and the threads of a group follow each other.
type order [][]int

func (o order) String() string {
	var out []string
	for _, g := range o {
		out = append(out, strings.Trim(strings.ReplaceAll(fmt.Sprint(g), " ", " then "), "[]"))
	}
	return strings.Join(out, " beside ")
}

// threads are all in the order of preference; turn is the order of the groups.
func (o order) threads(turn []int) []int {
	out := []int{0}
	for _, g := range turn {
		out = append(out, o[g]...)
	}
	return out
}

// next is the order of the groups after a step of a thread that ends an iteration.
func (o order) next(turn []int, thread int) []int {
	for i, g := range turn {
		if slices.Contains(o[g], thread) {
			return append(append(slices.Clone(turn[:i]), turn[i+1:]...), g)
		}
	}
	return turn
}

// last reports whether a thread is the last of its group: the turn of the group ends with
// it, while another that follows goes on in it.
func (o order) last(thread int) bool {
	return slices.ContainsFunc(o, func(g []int) bool { return g[len(g)-1] == thread })
}

// orders are those that are tried for threads 1 to n: all side by side; one after the
// other; and two groups, each of which is a sequence.
func orders(n int) (out []order) {
	var all order
	var one []int
	for t := 1; t <= n; t++ {
		all = append(all, []int{t})
		one = append(one, t)
	}
	out = append(out, all)
	if n > 1 {
		out = append(out, order{one})
	}
	if n < 3 || n > 5 {
		return out
	}
	// thread 1 is in the first group, alone at first: a whole beside its parts
	for set := 1<<(n-1) - 1; set > 0; set-- {
		var a, b []int
		for t := 1; t <= n; t++ {
			if t > 1 && set>>(t-2)&1 == 1 {
				b = append(b, t)
			} else {
				a = append(a, t)
			}
		}
		out = append(out, order{a, b})
	}
	return out
}
