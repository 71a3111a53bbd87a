package diag

import "sort"

// Finish sorts the report's lists, merges equal assumptions and races at the same pair of places, and decides the
// overall verdict: racy when a race was found, unknown when a pair is, race-free otherwise.
func (r *Report) Finish() {
	r.mergeRaces()
	sort.SliceStable(r.Assumptions, func(i, j int) bool {
		a, b := r.Assumptions[i], r.Assumptions[j]
		if a.Kind != b.Kind {
			return a.Kind < b.Kind
		}
		if a.Pos != b.Pos {
			return a.Pos.Less(b.Pos)
		}
		return a.Text < b.Text
	})
	kept := r.Assumptions[:0]
	for i, a := range r.Assumptions {
		if i == 0 || a != r.Assumptions[i-1] {
			kept = append(kept, a)
		}
	}
	r.Assumptions = kept
	r.Verdict = RaceFree
	for _, p := range r.Pairs {
		if p.Verdict == Racy || (p.Verdict == Unknown && r.Verdict == RaceFree) {
			r.Verdict = p.Verdict
		}
	}
}

// sameRace identifies a race by its two places.
type sameRace struct{ a, b place }

type place struct {
	file      string
	line, col int
	kind      string
}

func placeOf(a Access) place { return place{a.Pos.File, a.Pos.Line, a.Pos.Col, a.Kind} }

// mergeRaces keeps one race for each pair of places; the entries of the others are noted in Pairs.
func (r *Report) mergeRaces() {
	seen := map[sameRace]int{}
	var out []Race
	for _, x := range r.Races {
		if x.Second.Pos.Less(x.First.Pos) {
			x.First, x.Second = x.Second, x.First
		}
		k := sameRace{placeOf(x.First), placeOf(x.Second)}
		i, ok := seen[k]
		if !ok {
			seen[k] = len(out)
			out = append(out, x)
			continue
		}
		if p := x.First.Entry + "," + x.Second.Entry; p != out[i].First.Entry+","+out[i].Second.Entry && !contains(out[i].Pairs, p) {
			out[i].Pairs = append(out[i].Pairs, p)
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].First.Pos != out[j].First.Pos {
			return out[i].First.Pos.Less(out[j].First.Pos)
		}
		return out[i].Second.Pos.Less(out[j].Second.Pos)
	})
	r.Races = out
}

func contains(ss []string, s string) bool {
	for _, t := range ss {
		if t == s {
			return true
		}
	}
	return false
}
