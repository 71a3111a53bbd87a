package report

import (
	"fmt"

	"whoop/diag"
)

// webMatrix is the pairs of entry points as a matrix.
type webMatrix struct {
	Legend    string
	Names     []string
	Rows      []webMatrixRow
	Free      []string // entry points that are race-free with all
	FreeCount string
}

type webMatrixRow struct {
	Name  string
	Cells []webCell
}

// webCell is a pair; Class is "" where the two cannot overlap.
type webCell struct{ Class, Title, Pair, Sign string }

// maxMatrix is how many entry points the matrix has at most; of more, those come first
// that have races.
const maxMatrix = 60

// signs are what cells show beside their colour.
var signs = map[diag.Verdict]string{diag.RaceFree: "✓", diag.Racy: "✗", diag.Unknown: "?", diag.Accepted: "○"}

// matrix is the pairs of a report; nil where there are none. Entry points that are
// race-free with all others are left out where there are many.
func matrix(r *diag.Report) *webMatrix {
	if len(r.Pairs) == 0 {
		return nil
	}
	verdict := map[[2]string]diag.Pair{}
	open := map[string]bool{}
	for _, p := range r.Pairs {
		verdict[[2]string{p.First, p.Second}], verdict[[2]string{p.Second, p.First}] = p, p
		if p.Verdict != diag.RaceFree {
			open[p.First], open[p.Second] = true, true
		}
	}
	m := &webMatrix{Legend: "✗ racy (click to see its races), ✓ proved race-free, ? undecided, ○ accepted; empty: the two cannot overlap."}
	many := len(r.Entries) > 12
	left := 0
	for _, e := range r.Entries {
		switch {
		case many && !open[e.Name]:
			m.Free = append(m.Free, e.Name)
		case len(m.Names) >= maxMatrix:
			left++
		default:
			m.Names = append(m.Names, e.Name)
		}
	}
	if left > 0 {
		m.Legend += fmt.Sprintf(" %s are left out.", plural(left, "more entry point"))
	}
	if len(m.Free) > 0 {
		m.FreeCount = plural(len(m.Free), "entry point") + " race-free"
	}
	for _, a := range m.Names {
		row := webMatrixRow{Name: a}
		for _, b := range m.Names {
			p, ok := verdict[[2]string{a, b}]
			if !ok {
				row.Cells = append(row.Cells, webCell{})
				continue
			}
			title := fmt.Sprintf("%s and %s: %s", a, b, p.Verdict)
			if p.Reason != "" {
				title += ": " + p.Reason
			}
			row.Cells = append(row.Cells, webCell{Class: string(p.Verdict), Title: title, Pair: a + "\t" + b, Sign: signs[p.Verdict]})
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}
