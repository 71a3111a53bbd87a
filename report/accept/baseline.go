package accept

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"whoop/diag"
)

// baselineVersion is the version of the file format that is written and read.
const baselineVersion = 1

// Baseline is the races and warnings that are known.
type Baseline struct {
	name  string
	known map[string]entry
}

// WriteBaseline writes what the report has found and no comment accepts: its races and
// warnings, those that a baseline accepted included. The order depends on the names
// alone.
func WriteBaseline(w io.Writer, rep *diag.Report) error {
	all := map[string]entry{}
	add := func(e entry) {
		e.Count = all[e.key()].Count + 1
		all[e.key()] = e
	}
	for _, x := range rep.Races {
		add(raceEntry(x))
	}
	for _, f := range rep.Findings {
		if canBeKnown(f) {
			add(findingEntry(f))
		}
	}
	for _, a := range rep.Accepted {
		switch {
		case a.By != byBaseline:
		case a.Race != nil:
			add(raceEntry(*a.Race))
		default:
			add(findingEntry(*a.Finding))
		}
	}
	known := make([]entry, 0, len(all))
	for _, e := range all {
		known = append(known, e)
	}
	slices.SortFunc(known, compareEntries)
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		Version int     `json:"version"`
		Known   []entry `json:"known"`
	}{baselineVersion, known})
}

// canBeKnown reports whether a baseline may hold a finding: a warning about the program.
// Mistakes in comments are to be put right, not kept.
func canBeKnown(f diag.Finding) bool { return f.Level == diag.Warning && f.Kind != kindBare }

// byBaseline is diag.Acceptance.By of what a baseline knows.
const byBaseline = "baseline"

// Apply takes out of the report what the baseline knows. Where there is more of something
// than is known, all of it stays in the report, because which one is new cannot be told,
// and a note says so. What is known and no longer found is noted where the whole program
// was looked at and decided.
func (b *Baseline) Apply(rep *diag.Report, whole bool) {
	found := map[string]int{}
	for _, x := range rep.Races {
		found[raceEntry(x).key()]++
	}
	for _, f := range rep.Findings {
		found[findingEntry(f).key()]++
	}
	take := func(e entry) *diag.Acceptance {
		if k, ok := b.known[e.key()]; !ok || found[e.key()] > k.Count {
			return nil
		}
		return &diag.Acceptance{By: byBaseline, Reason: "known by " + b.name}
	}
	rep.Accept(func(x diag.Race) *diag.Acceptance { return take(raceEntry(x)) },
		func(f diag.Finding) *diag.Acceptance {
			if !canBeKnown(f) {
				return nil
			}
			return take(findingEntry(f))
		})
	rep.Notes = append(rep.Notes, b.notes(found, whole && complete(rep))...)
}

// notes compares the counts.
func (b *Baseline) notes(found map[string]int, whole bool) []string {
	var known []entry
	for _, e := range b.known {
		known = append(known, e)
	}
	slices.SortFunc(known, compareEntries)
	var out []string
	gone := 0
	for _, e := range known {
		if n := found[e.key()]; n > e.Count {
			out = append(out, fmt.Sprintf("%s knows %d of kind %s on %s, now there are %d: all are reported", b.name, e.Count, e.Kind, e.Region, n))
		} else {
			gone += e.Count - n
		}
	}
	if whole && gone > 0 {
		out = append(out, fmt.Sprintf("%d of what %s knows is no longer found: write it again with --write-baseline", gone, b.name))
	}
	return out
}
