package report

import (
	"slices"
	"strings"

	"whoop/diag"
)

// A raceFinding is one question that the races of a program ask: may these entry points
// do that at the same time? Its fields have races of the same entry points (or all of
// them with one entry point), and the same lock, or none, is held at half of the places
// at least: whoever uses a connection from two goroutines that the documentation wants
// used by one has races on each of its fields, and all for one reason; an entry point
// that takes no lock where all others have it has them on all that it reads.
type raceFinding struct {
	raceGroup             // the most telling field
	same      []raceGroup // the others
}

// raceFindings gathers the groups of races by the entry points that they are of, where
// there are more than are shown in full.
func raceFindings(r *diag.Report) []raceFinding {
	groups := groupRaces(r)
	var out []raceFinding
	at := map[string]int{}
	for _, g := range groups {
		k := g.cause()
		i, ok := at[k]
		if !ok || len(groups) <= maxDetailed {
			at[k] = len(out)
			out = append(out, raceFinding{raceGroup: g})
			continue
		}
		out[i].same = append(out[i].same, g)
	}
	return out
}

// cause says which entry points the races of a group are of: the one that is in all of
// its pairs, where there is one, otherwise all of them; and which lock most places have.
// Of one pair of entry points alone it says nothing: each field is a finding. Memory that
// is freed while an entry point may use it is one finding, whatever of it is used.
func (g *raceGroup) cause() string {
	if x := g.races[0]; x.First.Kind == "free" {
		return "freed at " + x.First.Pos.String() + " beside " + x.Second.Entry
	} else if x.Second.Kind == "free" {
		return "freed at " + x.Second.Pos.String() + " beside " + x.First.Entry
	}
	lock := ""
	if g.guard.Held > 0 && g.guard.Held*2 >= g.guard.Places {
		lock = " without " + g.guard.Lock
	}
	var common, all []string
	pairs, _ := g.pairs()
	for i, p := range pairs {
		a, b, _ := diag.CutPair(p)
		if i == 0 {
			common = []string{a, b}
		}
		common = slices.DeleteFunc(common, func(e string) bool { return e != a && e != b })
		all = append(all, a, b)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	slices.Sort(common)
	common = slices.Compact(common)
	switch {
	case len(all) <= 2:
		return "on " + g.field // nothing else could be
	case len(common) == 1:
		return "with " + common[0] + lock
	}
	return strings.Join(all, "; ") + lock
}

// title names the field, and how many others there are.
func (f raceFinding) title() string {
	if len(f.same) == 0 {
		return plainField(f.field)
	}
	return plainField(f.field) + " and " + plural(len(f.same), "more field")
}

// sameFields names the other fields of a finding.
func (t *text) sameFields(f raceFinding) {
	if len(f.same) == 0 {
		return
	}
	var names []string
	n := 0
	for _, g := range f.same {
		names = append(names, plainField(g.field))
		n += len(g.races)
	}
	t.printf("  %s of the same entry points on %s\n", plural(n, "more race"), strings.Join(names, ", "))
}
