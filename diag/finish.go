package diag

import (
	"slices"
	"sort"
	"strings"

	"whoop/ir"
)

// Finish sorts the report's lists, merges equal assumptions and races at the same pair of
// places, and decides the overall verdict: racy when a race was found, unknown when a
// pair is, accepted when a pair is, race-free otherwise; without pairs it is Nothing.
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
	r.sortFindings()
	r.decide()
}

// Join adds the report of another program. Of a field that both have races on, the locks
// of that with more places are shown.
func (r *Report) Join(o *Report) {
	r.Entries = append(r.Entries, o.Entries...)
	r.Pairs = append(r.Pairs, o.Pairs...)
	r.Excluded = append(r.Excluded, o.Excluded...)
	r.Chosen = r.Chosen || o.Chosen
	r.Looked.join(o.Looked)
	r.Regions.Total += o.Regions.Total
	r.Regions.Racy += o.Regions.Racy
	r.Races = append(r.Races, o.Races...)
	for _, g := range o.Guards {
		i := slices.IndexFunc(r.Guards, func(h Guard) bool { return h.Field == g.Field })
		switch {
		case i < 0:
			r.Guards = append(r.Guards, g)
		case g.Places > r.Guards[i].Places:
			r.Guards[i] = g
		}
	}
	slices.SortFunc(r.Guards, func(a, b Guard) int { return strings.Compare(a.Field, b.Field) })
	r.Orders = append(r.Orders, o.Orders...)
	r.Cut += o.Cut
	r.Findings = append(r.Findings, o.Findings...)
	r.Accepted = append(r.Accepted, o.Accepted...)
	r.Assumptions = append(r.Assumptions, o.Assumptions...)
	r.Disciplined = r.Disciplined && o.Disciplined
	r.Counters.Add(o.Counters)
	for _, x := range o.Stages {
		r.Took(x)
	}
	for _, n := range o.Notes {
		if !slices.Contains(r.Notes, n) {
			r.Notes = append(r.Notes, n)
		}
	}
	r.Seconds = max(r.Seconds, o.Seconds)
	r.Finish()
}

// decide makes the overall verdict: the worst of the pairs'. Without pairs nothing runs
// concurrently, unless something that is not seen may start threads.
func (r *Report) decide() {
	worst := []Verdict{RaceFree, Accepted, Unknown, Racy}
	r.Verdict = RaceFree
	switch {
	case len(r.Pairs) > 0 || r.Chosen:
	case len(r.Looked.Unseen) > 0:
		r.Verdict = Unknown
	default:
		r.Verdict = Nothing
	}
	for _, p := range r.Pairs {
		if slices.Index(worst, p.Verdict) > slices.Index(worst, r.Verdict) {
			r.Verdict = p.Verdict
		}
	}
}

// samePlaces identifies a race by the places of its two accesses.
type samePlaces struct{ first, second ir.Pos }

// mergeRaces keeps one race for each pair of places. Of x++, which reads and writes, the
// write is shown; the pairs of entries that are left out are noted in Pairs.
func (r *Report) mergeRaces() {
	seen := map[samePlaces]int{}
	noted := map[int]map[string]bool{} // the pairs of those that others are merged with
	var out []Race
	for _, x := range r.Races {
		if x.Second.Pos.Less(x.First.Pos) {
			x.First, x.Second = x.Second, x.First
		}
		k := samePlaces{x.First.Pos, x.Second.Pos}
		i, ok := seen[k]
		if !ok {
			seen[k] = len(out)
			out = append(out, x)
			continue
		}
		old := out[i]
		if rank(x) > rank(old) {
			out[i], x = x, old
			x.Pairs, out[i].Pairs = out[i].Pairs, x.Pairs
			x.Among, out[i].Among = out[i].Among, x.Among
		}
		for _, a := range x.Among {
			if !slices.ContainsFunc(out[i].Among, a.equal) {
				out[i].Among = append(out[i].Among, a)
			}
		}
		has := noted[i]
		if has == nil {
			has = map[string]bool{}
			for _, p := range out[i].Pairs {
				has[p] = true
			}
			noted[i] = has
		}
		self := out[i].First.Entry + "," + out[i].Second.Entry
		for _, p := range append([]string{x.First.Entry + "," + x.Second.Entry}, x.Pairs...) {
			if p != self && !has[p] {
				has[p] = true
				out[i].Pairs = append(out[i].Pairs, p)
			}
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

// rank counts the writes among a race's accesses.
func rank(x Race) int {
	n := 0
	for _, a := range []Access{x.First, x.Second} {
		if !strings.HasSuffix(a.Kind, "read") {
			n++
		}
	}
	return n
}
