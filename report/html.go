package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"whoop/diag"
	"whoop/ir"
)

//go:embed page.html
var page string

// htmlSide is an access with its source line.
type htmlSide struct {
	diag.Access
	Line, Caret, Chain, Holding string
}

// htmlRace is the races on one field as the page shows them.
type htmlRace struct {
	N                int
	Kind             string // "" for a data race
	Field, Why, Also string
	Guard            string
	Sides            [2]htmlSide
	Others           []diag.Race
}

// htmlPage is what the template sees.
type htmlPage struct {
	*diag.Report
	Summary     string
	RaceList    []htmlRace
	KindGroups  []*kindGroup
	SecondsText string
}

// HTML prints the report as one self-contained page.
func HTML(w io.Writer, r *diag.Report) error {
	t, err := template.New("page").Funcs(template.FuncMap{"places": allPlaces, "acceptedLine": acceptedLine}).Parse(page)
	if err != nil {
		return err
	}
	src := newSources()
	p := htmlPage{Report: r, Summary: summary(r), KindGroups: grouped(r.Assumptions), SecondsText: fmt.Sprintf("%.2f s", r.Seconds)}
	for i, g := range groupRaces(r) {
		x := g.races[0]
		pairs, all := g.pairs()
		also := strings.Join(pairs[1:], "; ")
		if n := all - len(pairs); n > 0 {
			also += fmt.Sprintf("; and %d more", n)
		}
		h := htmlRace{N: i + 1, Field: g.field, Why: x.Why, Also: also, Others: g.races[1:],
			Sides: [2]htmlSide{htmlAccess(src, x.First), htmlAccess(src, x.Second)}}
		if k := kindOf(x); k != diag.DataRace {
			h.Kind = k
		}
		if g.guard.Held > 0 {
			h.Guard = fmt.Sprintf("%s is held at %d of %s.", g.guard.Lock, g.guard.Held, plural(g.guard.Places, "place"))
		}
		p.RaceList = append(p.RaceList, h)
	}
	return t.Execute(w, p)
}

func htmlAccess(src *sources, a diag.Access) htmlSide {
	s := htmlSide{Access: a, Chain: chain(a), Holding: "no locks"}
	if len(a.Locks) > 0 {
		s.Holding = strings.Join(a.Locks, ", ")
	}
	if line, ok := src.line(a.Pos); ok {
		s.Line, s.Caret = line, pad(line, a.Pos.Col)+"^"
	}
	return s
}

func allPlaces(ps []ir.Pos) string {
	var out []string
	for _, p := range ps {
		out = append(out, p.String())
	}
	return strings.Join(out, ", ")
}
