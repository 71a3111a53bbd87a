package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"whoop/diag"
	"whoop/ir"
)

// webRace is the races on one field, or on several for one reason.
type webRace struct {
	N                        int
	Open                     bool
	Kind                     string // "" for a data race
	Title, Short, Why, Guard string
	Both                     string // a lock that both sides hold
	Read                     string // a lock that both sides hold for reading only
	Unsure                   bool   // each may have an object of its own
	Sides                    []webSide
	Places                   []webPlace
	Also                     []string
	AlsoCount                string
	Confirm                  string // the command that looks for an execution
	PairsJSON                string // the pairs of entry points, for the script
	Run                      *webRun
	Programs                 string // the numbers of those that it is of
}

// OddPlaces reports whether some places lack the lock that most hold.
func (h webRace) OddPlaces() bool {
	return slices.ContainsFunc(h.Places, func(p webPlace) bool { return p.Odd })
}

// webPlace is a place that accesses the field of a race. Odd: the lock that most places
// hold is not held there.
type webPlace struct {
	Kind, Entry, Locks string
	Pos                ir.Pos
	Odd                bool
}

// openRaces is how many races are unfolded at first.
const openRaces = 3

// HTML prints the report as one self-contained page: the races first, ranked.
func HTML(w io.Writer, r *diag.Report) error {
	p := newWebPage("verify", r.Input, r.Version)
	p.Tool, p.Verdict, p.Class, p.Summary = r.Tool, string(r.Verdict), string(r.Verdict), summary(r)
	p.Seconds = fmt.Sprintf("%.2f s", r.Seconds)
	findings, of := raceFindings(r), programOf(r)
	for i, f := range findings {
		x := p.race(r, i+1, f)
		for _, k := range f.programs(of) {
			x.Programs += fmt.Sprintf("%d ", k)
		}
		p.Races = append(p.Races, x)
	}
	p.Index = p.index(r, findings)
	p.Matrix, p.Excluded, p.NoPairs = matrix(r), r.Excluded, len(r.Pairs) == 0
	p.Undecided = reasons(r)
	for i := range r.Orders {
		o := &r.Orders[i]
		p.Orders = append(p.Orders, fmt.Sprintf("%s and %s: %s takes the second at %s, %s the first at %s",
			o.First.Held, o.First.Wanted, o.First.EntryPoint, o.First.WantedAt, o.Second.EntryPoint, o.Second.WantedAt))
	}
	p.Findings, p.Notes = r.Findings, r.Notes
	for _, a := range r.Accepted {
		line := acceptedLine(a)
		if a.By == "baseline" {
			line += " (" + a.Reason + ")"
		}
		p.Accepted = append(p.Accepted, line)
	}
	p.assume(r.Assumptions)
	return p.write(w)
}

// race is a finding for the page.
func (p *webPage) race(r *diag.Report, n int, f raceFinding) webRace {
	x := f.races[0]
	h := webRace{N: n, Open: n <= openRaces, Title: f.title(), Why: x.Why, Both: bothHold(x), Read: readLock(x), Unsure: !x.Same,
		Sides: []webSide{p.side(n, "a", x.First), p.side(n, "b", x.Second)}}
	h.Short = fmt.Sprintf("%s by %s, %s by %s", x.First.Kind, x.First.Entry, x.Second.Kind, x.Second.Entry)
	if k := kindOf(x); k != diag.DataRace {
		h.Kind = k
	}
	if g := f.guard; g.Held > 0 && g.Held < g.Places {
		h.Guard = fmt.Sprintf("%s is held at %d of %s that access it.", plainField(g.Lock), g.Held, plural(g.Places, "place"))
	}
	if len(f.races) > 1 || h.Guard != "" {
		h.Places = placesOf(f.raceGroup)
	}
	pairs, all := f.pairs()
	if len(pairs) > 1 {
		h.AlsoCount = plural(all-1, "more pair") + " of entry points with races on it"
		h.Also = pairs[1:]
	}
	for _, g := range f.same {
		more, _ := g.pairs()
		pairs = append(pairs, more...)
	}
	h.PairsJSON = pairsJSON(pairs)
	if x.Confirmed != nil {
		h.Run = p.run(x.Confirmed.Execution)
	}
	h.Confirm = confirmCommand(r, x)
	return h
}

// confirmCommand is the command that looks for an execution that shows a race; "" where
// there is none for the input.
func confirmCommand(r *diag.Report, x diag.Race) string {
	if x.Confirmed != nil || len(r.Programs) > 1 { // bmc takes one program
		return ""
	}
	whole := slices.ContainsFunc(r.Entries, func(e *ir.Entry) bool { return e.Kind == "main" })
	if !whole && strings.HasSuffix(x.First.Pos.File, ".go") {
		return "" // users' calls of a library are no program
	}
	words := []string{"whoop", "bmc"}
	for _, f := range strings.Fields(r.Input) {
		words = append(words, shellWord(f))
	}
	words = append(words, "--property", "race")
	if !whole {
		words = append(words, "--pairs", shellWord(x.First.Entry+","+x.Second.Entry))
	}
	return strings.Join(words, " ")
}

// pairsJSON lists pairs as the script compares them, both ways round.
func pairsJSON(pairs []string) string {
	out := []string{}
	for _, p := range pairs {
		a, b, _ := diag.CutPair(p)
		out = append(out, a+"\t"+b, b+"\t"+a)
	}
	slices.Sort(out)
	b, err := json.Marshal(slices.Compact(out))
	if err != nil {
		return "[]" // strings can be written
	}
	return string(b)
}

// side is an access with the lines around it.
func (p *webPage) side(n int, which string, a diag.Access) webSide {
	s := webSide{Kind: a.Kind, Entry: a.Entry, Pos: a.Pos, Held: heldSince(a), Anchor: fmt.Sprintf("race-%d%s", n, which), Excerpt: p.src.excerpt(a.Pos, nil)}
	for _, f := range slices.Backward(shownCalls(a)) {
		s.Calls = append(s.Calls, fmt.Sprintf("%s, called at %s", f.Function, f.Pos))
	}
	return s
}

// heldSince names the locks held at an access, with the places where they were taken, as
// far as these are known.
func heldSince(a diag.Access) []string {
	out := plainLocks(a.Locks)
	for i, l := range out {
		for _, x := range a.Steps {
			if x.Does == "lock" && plainField(x.Lock) == strings.TrimSuffix(l, " (shared)") {
				out[i] = fmt.Sprintf("%s, taken at line %d", l, x.Pos.Line)
			}
		}
	}
	return out
}

// placesOf lists the places that races of a group are at, those without the lock that
// most hold first.
func placesOf(g raceGroup) []webPlace {
	seen := map[string]bool{}
	var out []webPlace
	for _, x := range g.races {
		for _, a := range []diag.Access{x.First, x.Second} {
			p := webPlace{Kind: a.Kind, Entry: a.Entry, Locks: strings.Join(plainLocks(a.Locks), ", "), Pos: a.Pos}
			key := fmt.Sprint(p.Kind, p.Pos, p.Locks)
			if seen[key] {
				continue
			}
			seen[key] = true
			if p.Locks == "" {
				p.Locks = "none"
			}
			p.Odd = g.guard.Held*2 >= g.guard.Places && g.guard.Held > 0 &&
				!slices.ContainsFunc(a.Locks, func(l string) bool { return strings.TrimSuffix(l, " (shared)") == g.guard.Lock })
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b webPlace) int {
		switch {
		case a.Odd != b.Odd && a.Odd:
			return -1
		case a.Odd != b.Odd:
			return 1
		}
		return a.Pos.Compare(b.Pos)
	})
	return out
}

func allPlaces(ps []ir.Pos) string {
	var out []string
	for _, p := range ps {
		out = append(out, p.String())
	}
	return strings.Join(out, ", ")
}
