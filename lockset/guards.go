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
	at := map[string]map[ir.Pos][]string{}
	fields := map[*alias.Region]string{}
	for r := range j.racy {
		fields[r] = j.f.title(r.Field)
		if at[fields[r]] == nil {
			at[fields[r]] = map[ir.Pos][]string{}
		}
	}
	// Many sites have one list of regions, of a few fields.
	type list struct {
		first **alias.Region
		n     int
	}
	known := map[list][]string{}
	fieldsOf := func(rs []*alias.Region) []string {
		if len(rs) == 0 {
			return nil
		}
		k := list{&rs[0], len(rs)}
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
	for _, s := range j.sums {
		for _, st := range s.sites {
			if j.late() != nil {
				return nil
			}
			names := fieldsOf(st.regions)
			if st.dead || len(names) == 0 {
				continue
			}
			var locks []string
			for _, n := range j.locksAt(st) {
				if n = strings.TrimSuffix(n, " (shared)"); !slices.Contains(locks, n) {
					locks = append(locks, n)
				}
			}
			for _, f := range names {
				places := at[f]
				if old, ok := places[st.pos()]; ok {
					places[st.pos()] = slices.DeleteFunc(slices.Clone(old), func(n string) bool { return !slices.Contains(locks, n) })
				} else {
					places[st.pos()] = locks
				}
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
