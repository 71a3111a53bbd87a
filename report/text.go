package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"whoop/diag"
	"whoop/ir"
)

// Options of the text report.
type Options struct {
	// Color uses ANSI colours.
	Color bool
	// Stats adds the work counters.
	Stats bool
	// All leaves nothing out: every pair, every race with its call chains, every
	// assumption.
	All bool
}

// What the text has by default: more pairs are a line for each entry point, races after
// the first ones a line each.
const (
	maxPairs    = 40
	maxDetailed = 12
)

// Text prints the pairs, the races with their source lines, findings, what is accepted,
// the assumptions, and a summary line.
func Text(w io.Writer, r *diag.Report, opt Options) error {
	t := &text{w: w, opt: opt, src: newSources()}
	if !r.Looked.Unread { // else the last line is all there is
		t.printf("%s: %s: %s\n\n", r.Input, t.color(r.Verdict), summary(r))
	}
	t.pairs(r)
	t.races(r)
	t.orders(r)
	t.findings(r.Findings)
	t.accepted(r.Accepted)
	t.assumptions(r.Assumptions)
	t.left(r.Looked.Left)
	for _, n := range r.Notes {
		t.printf("\nnote: %s\n", n)
	}
	t.summary(r)
	return t.err
}

type text struct {
	w   io.Writer
	opt Options
	src *sources
	err error
}

func (t *text) printf(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

func (t *text) color(v diag.Verdict) string {
	c := map[diag.Verdict]string{diag.RaceFree: "32", diag.Racy: "31", diag.Unknown: "33", diag.Accepted: "36", diag.Nothing: "36"}[v]
	return t.paint(c, string(v))
}

// The colours of headings and of carets.
const headingColor, caretColor = "1", "1;31"

// paint colours a text where colours are wanted.
func (t *text) paint(color, s string) string {
	if !t.opt.Color || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// source shows the line of a place with a caret below its column, where there is one.
func (t *text) source(p ir.Pos) {
	if line, ok := t.src.line(p); ok {
		t.printf("    | %s\n    | %s%s\n", line, pad(line, p.Col), t.paint(caretColor, "^"))
	}
}

func (t *text) pairs(r *diag.Report) {
	var rows [][]string
	if len(r.Pairs) > maxPairs && !t.opt.All {
		t.partners(r)
		return
	}
	for _, p := range r.Pairs {
		rows = append(rows, []string{p.First, p.Second, t.color(p.Verdict), p.Reason})
	}
	if len(r.Pairs) > 0 {
		t.table([]string{"first", "second", "verdict", "reason"}, rows)
		return
	}
	if !r.Looked.Unread {
		t.printf("no two entry points may run at the same time\n")
	}
}

// partners is the table by entry points, where there are many pairs: with whom each one
// is racy or undecided.
func (t *text) partners(r *diag.Report) {
	by := map[diag.Verdict]map[string][]string{diag.Racy: {}, diag.Unknown: {}, diag.Accepted: {}}
	for _, p := range r.Pairs {
		if m := by[p.Verdict]; m != nil {
			m[p.First] = append(m[p.First], p.Second)
			if p.First != p.Second {
				m[p.Second] = append(m[p.Second], p.First)
			}
		}
	}
	free := 0
	for _, e := range r.Entries {
		name := e.Name
		if len(by[diag.Racy][name])+len(by[diag.Unknown][name])+len(by[diag.Accepted][name]) == 0 {
			free++
			continue
		}
		t.printf("%s\n", name)
		for _, v := range []diag.Verdict{diag.Racy, diag.Unknown, diag.Accepted} {
			if list := by[v][name]; len(list) > 0 {
				t.printf("  %s with %s\n", t.color(v), t.some(list, ", ", maxListed, "more"))
			}
		}
	}
	switch {
	case free == len(r.Entries):
		t.printf("all pairs of entry points are %s\n", t.color(diag.RaceFree))
	case free > 0:
		t.printf("%s: %s with all\n", plural(free, "more entry point"), t.color(diag.RaceFree))
	}
	for _, why := range reasons(r) {
		t.printf("%s\n", why)
	}
	t.printf("(--all has all %s)\n", plural(len(r.Pairs), "pair"))
}

// reasons says why pairs are undecided, each reason once.
func reasons(r *diag.Report) []string {
	n := map[string]int{}
	var order []string
	for _, p := range r.Pairs {
		if p.Verdict == diag.Unknown {
			if n[p.Reason] == 0 {
				order = append(order, p.Reason)
			}
			n[p.Reason]++
		}
	}
	for i, why := range order {
		order[i] = fmt.Sprintf("%s undecided: %s", plural(n[why], "pair"), why)
	}
	return order
}

// orders prints the candidates for deadlocks: the first with what is to be known, the
// others in a line.
func (t *text) orders(r *diag.Report) {
	whole := slices.ContainsFunc(r.Entries, func(e *ir.Entry) bool { return e.Kind == "main" })
	for i, o := range r.Orders {
		what := o.First.Held + " and " + o.First.Wanted + " are taken in both orders"
		if o.First.Held == o.First.Wanted {
			what = "locks of " + o.First.Held + " are taken while another one is held"
		}
		if i >= maxDetailed && !t.opt.All {
			if i == maxDetailed {
				t.printf("\n%s, in short (--all has everything)\n", plural(len(r.Orders)-i, "more lock order"))
			}
			t.printf("lock order %d: %s: %s, %s\n", i+1, what, o.First.WantedAt, o.Second.WantedAt)
			continue
		}
		t.printf("\n%s\n", t.paint(headingColor, fmt.Sprintf("lock order %d: %s, which may deadlock", i+1, what)))
		for _, s := range []diag.OrderSide{o.First, o.Second} {
			t.printf("  %s: %s at %s, while %s may be held since %s\n", s.EntryPoint, s.Wanted, s.WantedAt, s.Held, s.HeldAt)
		}
		t.printf("  to confirm: whoop bmc --property deadlock")
		if !whole {
			t.printf(" --pairs %s,%s", o.First.EntryPoint, o.Second.EntryPoint)
		}
		t.printf("\n")
	}
}

// races prints the findings: the first with all that is to be known of their most telling
// race, the others in a line. With --all, it prints the races, by their fields.
func (t *text) races(r *diag.Report) {
	if t.opt.All {
		for i, g := range groupRaces(r) {
			for _, x := range g.races {
				t.race(i+1, plainField(g.field), x)
				if len(x.Pairs) > 0 {
					t.printf("  also: %s\n", strings.Join(x.Pairs, "; "))
				}
				for _, a := range x.Among {
					t.printf("  also: each of %s with each of %s\n",
						strings.Join(a.First, "; "), strings.Join(a.Second, "; "))
				}
				t.confirmed(x, true)
			}
		}
		return
	}
	fs := raceFindings(r)
	shown := false
	for i, f := range fs {
		if i < maxDetailed {
			t.race(i+1, f.title(), f.races[0])
			t.rest(f.raceGroup)
			t.sameFields(f)
			t.confirmed(f.races[0], !shown)
			shown = shown || f.races[0].Confirmed != nil
			continue
		}
		if i == maxDetailed {
			t.printf("\n%s, in short (--all has everything)\n", plural(len(fs)-i, "more finding"))
		}
		t.short(i+1, f.raceGroup)
		t.sameFields(f)
	}
}

func (t *text) race(n int, field string, x diag.Race) {
	what := ""
	if k := kindOf(x); k != diag.DataRace {
		what = " (" + k + ")"
	}
	t.printf("\n%s\n", t.paint(headingColor, fmt.Sprintf("race %d%s on %s", n, what, field)))
	t.access(x.First)
	t.access(x.Second)
	t.printf("  why: %s\n", x.Why)
	if both := bothHold(x); both != "" {
		t.printf("  both hold %s: each may be that of an object of its own\n", both)
	}
	if lock := readLock(x); lock != "" {
		t.printf("  both hold %s for reading only: others may hold it at the same time\n", lock)
	}
}

// readLock names a lock that both sides of a race hold, and for reading only; "" where
// there is none.
func readLock(x diag.Race) string {
	for _, l := range x.First.Locks {
		if slices.Contains(x.Second.Locks, l) && strings.HasSuffix(l, " (shared)") {
			return plainField(strings.TrimSuffix(l, " (shared)"))
		}
	}
	return ""
}

// bothHold names a lock that both sides of a race hold exclusively; "" where there is
// none. It keeps them apart only where it is that of the same object.
func bothHold(x diag.Race) string {
	for _, l := range x.First.Locks {
		if slices.Contains(x.Second.Locks, l) && !strings.HasSuffix(l, " (shared)") {
			return plainField(l)
		}
	}
	return ""
}

// confirmed says which execution shows a race, if one is known; whole: with what it does.
func (t *text) confirmed(x diag.Race, whole bool) {
	b := x.Confirmed
	switch {
	case b == nil:
	case whole:
		t.printf("  confirmed: this execution, with %s, shows it\n", plural(b.Preemptions, "preemption"))
		t.printf("%s", Interleaving(b.Execution))
	default:
		t.printf("  confirmed: an execution with %s shows it (--all has it)\n",
			plural(b.Preemptions, "preemption"))
	}
}

func (t *text) access(a diag.Access) {
	t.printf("  %s: %s by %s\n", a.Pos, a.Kind, t.chain(a))
	t.source(a.Pos)
	t.printf("    holding %s\n", Holding(a))
}

// maxChain is how many calls of a chain are shown by default.
const maxChain = 5

// chain is the call chain from the entry point; where it is long, its ends.
func (t *text) chain(a diag.Access) string {
	a.Calls = shownCalls(a)
	n := len(a.Calls)
	if t.opt.All || n <= maxChain {
		return chain(a)
	}
	first, last := a, a
	first.Calls, last.Calls, last.Entry = a.Calls[:2], a.Calls[n-2:], ""
	return fmt.Sprintf("%s -> … %d calls …%s", chain(first), n-4, chain(last))
}

// chain is the call chain from the entry point.
func chain(a diag.Access) string {
	s := a.Entry
	for _, f := range shownCalls(a) {
		if s += " -> " + f.Function; f.Pos.Line > 0 {
			s += fmt.Sprintf(" (called at line %d)", f.Pos.Line)
		}
	}
	return s
}

// shownCalls is the call chain, by plain names, without the calls that a goroutine's
// function is only wrapped in.
func shownCalls(a diag.Access) []diag.Frame {
	var out []diag.Frame
	last, wrapped := a.Entry, false
	for _, f := range a.Calls {
		name := ir.PlainName(f.Function)
		wraps := name != f.Function
		if name != last || !wraps && !wrapped {
			out = append(out, diag.Frame{Function: name, Pos: f.Pos})
		}
		last, wrapped = name, wraps
	}
	return out
}

// pad is the space before the caret, keeping tabs.
func pad(line string, col int) string {
	var b strings.Builder
	for i, c := range line {
		if i >= col-1 {
			break
		}
		if c == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// summary prints the last line, and the work counters where asked for.
func (t *text) summary(r *diag.Report) {
	t.printf("\n%s: %s: %s, %.2f s\n", r.Input, t.color(r.Verdict), summary(r), r.Seconds)
	if t.opt.Stats {
		c := r.Counters
		t.printf("%d queries, %d candidates (%d refuted), %d obligations, %d calls inlined\n", c.Queries, c.Candidates, c.Dropped, c.Obligations, c.Inlined)
		for _, x := range r.Stages {
			rounds := ""
			if x.Rounds > 0 {
				rounds = plural(x.Rounds, "round") + ", "
			}
			t.printf("%s: %s%d nodes, %d edges, %d members in %d sets, %.2f s%s\n", x.Name, rounds,
				x.Nodes, x.Edges, x.Members, x.Sets, x.Time.Seconds(), map[bool]string{false: ", given up"}[x.Ended])
		}
	}
}

// summary is the report in one line.
func summary(r *diag.Report) string {
	if r.Looked.Unread {
		return "the time was up before the input was read; nothing was looked at"
	}
	if len(r.Pairs)+len(r.Races) == 0 && !r.Chosen {
		return nothing(r) + leftOut(r)
	}
	n := map[diag.Verdict]int{}
	for _, p := range r.Pairs {
		n[p.Verdict]++
	}
	pairs := fmt.Sprintf("%d race-free, %d racy, %d unknown", n[diag.RaceFree], n[diag.Racy], n[diag.Unknown])
	if n[diag.Accepted] > 0 {
		pairs += fmt.Sprintf(", %d accepted", n[diag.Accepted])
	}
	races := plural(len(r.Races), "race")
	if n := len(raceFindings(r)); n < len(r.Races) {
		races += fmt.Sprintf(" (shown as %d)", n)
	}
	if k := acceptedRaces(r.Accepted); k > 0 {
		races += fmt.Sprintf(" (and %d accepted)", k)
	}
	s := fmt.Sprintf("%s, %s (%s; %d more cannot overlap), %s on %d of %s", plural(len(r.Entries), "entry point"), plural(len(r.Pairs), "pair"), pairs,
		len(r.Excluded), races, r.Regions.Racy, plural(r.Regions.Total, "shared region"))
	if k := r.Warnings(); k > 0 {
		s += ", " + plural(k, "warning")
	}
	return s + leftOut(r)
}
