package lockset

import (
	"slices"
	"strings"

	"whoop/analysis/alias"
	"whoop/diag"
	"whoop/ir"
)

// guards finds, for the fields with races, the lock that is held at most of the places
// where they are accessed: where it is held at many and not at some, these are worth a
// look first. None when there is no more time.
func (j *comparer) guards() []diag.Guard {
	// by field: the locks at places, which have numbers
	at, numbers := map[string]map[int][]string{}, map[ir.Pos]int{}
	fields := map[*alias.Region]string{}
	for r := range j.racy {
		fields[r] = j.f.title(r.Field)
		if at[fields[r]] == nil {
			at[fields[r]] = map[int][]string{}
		}
	}
	// Many sites have one list of regions, of a few fields.
	known := map[list][]string{}
	fieldsOf := func(rs []*alias.Region) []string {
		if len(rs) == 0 {
			return nil
		}
		k := listOf(rs)
		out, ok := known[k]
		if !ok {
			for _, r := range rs {
				if f := fields[r]; f != "" && !slices.Contains(out, f) {
					out = append(out, f)
				}
			}
			known[k] = out
		}
		return out
	}
	// Many sites of one place have one list of regions.
	type placed struct {
		of list
		at int
	}
	type found struct {
		names, locks []string
	}
	places := map[placed]*found{}
	for _, s := range j.sums {
		for _, st := range s.sites {
			if j.late() != nil {
				return nil
			}
			names := fieldsOf(st.regions)
			if st.dead || len(names) == 0 {
				continue
			}
			n, known := numbers[st.pos()]
			if !known {
				n = len(numbers)
				numbers[st.pos()] = n
			}
			k := placed{listOf(st.regions), n}
			switch old := places[k]; {
			case old == nil:
				places[k] = &found{names, j.plainLocksAt(st)}
			case len(old.locks) > 0:
				old.locks = inCommon(old.locks, j.plainLocksAt(st))
			}
		}
	}
	for k, x := range places {
		for _, f := range x.names {
			if old, ok := at[f][k.at]; ok {
				at[f][k.at] = inCommon(old, x.locks)
			} else {
				at[f][k.at] = x.locks
			}
		}
	}
	var out []diag.Guard
	for f, places := range at {
		g := diag.Guard{Field: f, Places: len(places)}
		n := map[string]int{}
		for _, locks := range places {
			for _, l := range locks {
				n[l]++
			}
		}
		for l, k := range n {
			// of several names of a lock the longest says most
			if k > g.Held || k == g.Held && (len(l) > len(g.Lock) || len(l) == len(g.Lock) && l < g.Lock) {
				g.Lock, g.Held = l, k
			}
		}
		if g.Held > 0 {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b diag.Guard) int { return strings.Compare(a.Field, b.Field) })
	return out
}

// plainLocksAt names the locks that are held at a site, in any mode.
func (j *comparer) plainLocksAt(s *site) []string {
	var out []string
	for _, n := range j.locksAt(s) {
		if n = strings.TrimSuffix(n, " (shared)"); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// inCommon are the names of a that b has, too.
func inCommon(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a), func(n string) bool { return !slices.Contains(b, n) })
}
