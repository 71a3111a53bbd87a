package report

import (
	"fmt"
	"strings"

	"whoop/diag"
	"whoop/ir"
)

// raceGroup is races on one region that share an access: one problem to look at. The first is shown as it is, of the others
// where they meet the shared access.
type raceGroup struct {
	races []diag.Race
	// at is the place that all share, where there are several.
	at ir.Pos
}

// minShared is how many races that share an access are shown as one.
const minShared = 4

// sharedAccess is a region and the place of a write.
type sharedAccess struct {
	region string
	at     ir.Pos
}

// groupRaces gathers races on one region that share a write, the write with the most first, in the order of their first races.
func groupRaces(races []diag.Race) []raceGroup {
	by := map[sharedAccess][]int{}
	var order []sharedAccess
	note := func(k sharedAccess, i int) {
		if by[k] == nil {
			order = append(order, k)
		}
		by[k] = append(by[k], i)
	}
	for i, x := range races {
		if writes(x.First) {
			note(sharedAccess{x.Region, x.First.Pos}, i)
		}
		if writes(x.Second) && x.Second.Pos != x.First.Pos {
			note(sharedAccess{x.Region, x.Second.Pos}, i)
		}
	}
	in := map[int]*raceGroup{}
	for {
		best := largest(by, order)
		if len(by[best]) < minShared {
			break
		}
		g := &raceGroup{at: best.at}
		for _, i := range by[best] {
			in[i] = g
		}
		for k, list := range by {
			by[k] = without(list, in)
		}
	}
	return inOrder(races, in)
}

// largest is the first of the accesses that most races share.
func largest(by map[sharedAccess][]int, order []sharedAccess) sharedAccess {
	var best sharedAccess
	for _, k := range order {
		if len(by[k]) > len(by[best]) {
			best = k
		}
	}
	return best
}

func without(list []int, in map[int]*raceGroup) []int {
	var out []int
	for _, i := range list {
		if in[i] == nil {
			out = append(out, i)
		}
	}
	return out
}

// inOrder lists the groups, and what is in none, by their first races.
func inOrder(races []diag.Race, in map[int]*raceGroup) []raceGroup {
	var groups []*raceGroup
	for i, x := range races {
		g := in[i]
		if g == nil {
			g = &raceGroup{}
		}
		if len(g.races) == 0 {
			groups = append(groups, g)
		}
		g.races = append(g.races, x)
	}
	out := make([]raceGroup, len(groups))
	for i, g := range groups {
		out[i] = *g
	}
	return out
}

// writes reports whether an access is not just a read.
func writes(a diag.Access) bool { return !strings.HasSuffix(a.Kind, "read") }

// others prints the races of a group after the first: the other accesses, by file.
func (t *text) others(g raceGroup) {
	if len(g.races) < 2 {
		return
	}
	var reads, changes []ir.Pos
	for _, x := range g.races[1:] {
		a := x.First
		if a.Pos == g.at && x.Second.Pos != g.at {
			a = x.Second
		}
		if writes(a) {
			changes = append(changes, a.Pos)
		} else {
			reads = append(reads, a.Pos)
		}
	}
	t.printf("  %s of %s with\n", plural(len(g.races)-1, "more race"), g.at)
	if len(changes) > 0 {
		t.printf("    writes at %s\n", placeList(changes))
	}
	if len(reads) > 0 {
		t.printf("    reads at %s\n", placeList(reads))
	}
}

// placeList lists positions, the file said once where it does not change.
func placeList(ps []ir.Pos) string {
	var b strings.Builder
	file := ""
	for i, p := range ps {
		if i > 0 {
			b.WriteString(", ")
		}
		if p.File != file || p.Line == 0 {
			b.WriteString(p.String())
			file = p.File
		} else {
			fmt.Fprintf(&b, "%d:%d", p.Line, p.Col)
		}
	}
	return b.String()
}
