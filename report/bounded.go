package report

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"whoop/diag"
	"whoop/ir"
)

// BoundedText prints what bmc found: a table of the runs, each bug with its interleaving,
// the assumptions, a summary line.
func BoundedText(w io.Writer, r *diag.BoundedReport, opt Options) error {
	t := &text{w: w, opt: opt, src: newSources()}
	t.printf("%s: %s\n\n", r.Input, t.conclusion(r))
	t.runs(r)
	t.properties(r)
	n, same := 0, alike(r)
	for i := range r.Runs {
		for _, b := range r.Runs[i].Bugs {
			n++
			t.bug(n, &r.Runs[i], &b, same[keyOf(&b)])
		}
	}
	t.assumptions(r.Assumptions)
	for _, x := range r.Notes {
		t.printf("\nnote: %s\n", x)
	}
	t.boundedSummary(r)
	return t.err
}

func (t *text) answer(a diag.Answer) string {
	c := map[diag.Answer]string{diag.NoBug: "32", diag.HasBug: "31", diag.Possible: "35", diag.Undecided: "33", diag.Partial: "33", diag.Bounded: "36"}[a]
	return t.paint(c, string(a))
}

// open is an answer with what keeps it from being that there is no bug: the number of
// places that were not followed.
func (t *text) open(a diag.Answer, places int) string {
	switch s := t.answer(a); {
	case a != diag.Partial:
		return s
	case places == 1:
		return s + ", but 1 place was not followed"
	default:
		return fmt.Sprintf("%s, but %d places were not followed", s, places)
	}
}

// notFollowed counts the places of a run that some property is about.
func notFollowed(r *diag.BoundedReport, x *diag.Run) int {
	one := diag.BoundedReport{Runs: []diag.Run{*x}}
	return len(one.NotFollowed(r.Properties...))
}

// runs is the table: a line for each harness.
func (t *text) runs(r *diag.BoundedReport) {
	var rows [][]string
	head := []string{"threads", "answer", "covered", "seconds"}
	if t.opt.Stats {
		head = append(head, "yields all/epp/mr")
	}
	for _, x := range r.Runs {
		name := strings.Join(x.Threads, " | ")
		if x.Proved {
			name += " (proved race-free)"
		}
		answer := t.open(x.Answer, notFollowed(r, &x))
		if x.Skipped {
			answer = "not checked"
		}
		row := []string{name, answer, covered(r, &x), fmt.Sprintf("%.2f", x.Seconds)}
		if t.opt.Stats {
			row = append(row, byMode(x.YieldsBy, "/"))
		}
		rows = append(rows, row)
	}
	t.table(head, rows)
	t.perRun(r, func(x *diag.Run) []string {
		if x.Reason == "" {
			return nil
		}
		return []string{x.Reason}
	})
	t.perRun(r, func(x *diag.Run) (out []string) {
		for _, a := range x.Assumptions {
			out = append(out, fmt.Sprintf("not covered (%s): %s: %s", a.Kind, a.Pos, a.Text))
		}
		return out
	})
}

// perRun prints what is said of runs, each sentence once with the runs that it is about.
func (t *text) perRun(r *diag.BoundedReport, of func(*diag.Run) []string) {
	var order []string
	in := map[string][]string{}
	for i := range r.Runs {
		for _, s := range of(&r.Runs[i]) {
			if in[s] == nil {
				order = append(order, s)
			}
			if name := strings.Join(r.Runs[i].Threads, " | "); !slices.Contains(in[s], name) {
				in[s] = append(in[s], name)
			}
		}
	}
	for _, s := range order {
		switch names := in[s]; {
		case len(r.Runs) == 1:
			t.printf("\n%s\n", s)
		case len(names) == len(r.Runs):
			t.printf("\n%s (all pairs)\n", s)
		default:
			t.printf("\n%s (%s)\n", s, t.some(names, ", ", maxAlso, "more pairs"))
		}
	}
}

// maxNumbers is how many bugs of a property are listed by their numbers.
const maxNumbers = 8

// properties is a table of what is known of each property in all runs.
func (t *text) properties(r *diag.BoundedReport) {
	t.printf("\n")
	var rows [][]string
	for _, p := range r.ByProperty() {
		var bugs []string
		for i, n := range p.Bugs {
			if i == maxNumbers {
				bugs = append(bugs, fmt.Sprintf("and %d more", len(p.Bugs)-i))
				break
			}
			bugs = append(bugs, fmt.Sprint(n))
		}
		rows = append(rows, []string{p.Property, t.open(p.Answer, p.NotFollowed), strings.Join(bugs, ", ")})
	}
	t.table([]string{"property", "answer", "bug numbers"}, rows)
}

// byMode lists how many points there are at which threads may be switched in mode all, in
// epp and in mr; "-" where that is not known.
func byMode(n map[string]int, sep string) string {
	var out []string
	for _, m := range []string{"all", "epp", "mr"} {
		if v, ok := n[m]; ok {
			out = append(out, fmt.Sprint(v))
		} else {
			out = append(out, "-")
		}
	}
	return strings.Join(out, sep)
}

// total adds up the points of all runs that were done; a mode that is not known of one is
// not known.
func total(runs []diag.Run) map[string]int {
	out := map[string]int{}
	for _, m := range []string{"all", "epp", "mr"} {
		sum, known := 0, true
		for _, x := range runs {
			if x.Skipped {
				continue
			}
			n, ok := x.YieldsBy[m]
			sum, known = sum+n, known && ok
		}
		if known {
			out[m] = sum
		}
	}
	return out
}

// covered says which executions were looked at.
func covered(r *diag.BoundedReport, x *diag.Run) string {
	if x.CSB < 0 {
		return "nothing"
	}
	var out []string
	if x.Exhaustive {
		out = append(out, "all switches")
	} else {
		s := fmt.Sprintf("csb=%d", x.CSB)
		if !x.AllRounds {
			s += fmt.Sprintf(", rounds=%d", x.Rounds)
		}
		out = append(out, s)
	}
	if x.Unrolled {
		out = append(out, "all iterations")
	} else {
		out = append(out, fmt.Sprintf("unroll=%d", r.Unroll))
	}
	return strings.Join(out, ", ")
}

// bugKey is what bugs of different runs have in common that are one to a reader.
type bugKey struct {
	kind         string
	first, other ir.Pos
}

func keyOf(b *diag.Bug) bugKey {
	k := bugKey{b.Kind, b.Place.Pos, b.Other.Pos}
	if k.other.Less(k.first) {
		k.first, k.other = k.other, k.first
	}
	return k
}

// alike lists the runs that each bug is in, by their threads.
func alike(r *diag.BoundedReport) map[bugKey][]string {
	out := map[bugKey][]string{}
	for i := range r.Runs {
		name := strings.Join(r.Runs[i].Threads, " | ")
		for k := range r.Runs[i].Bugs {
			key := keyOf(&r.Runs[i].Bugs[k])
			if !slices.Contains(out[key], name) {
				out[key] = append(out[key], name)
			}
		}
	}
	return out
}

// maxAlso is how many other runs with the same bug are named.
const maxAlso = 5

// also names the other runs that a bug is in.
func (t *text) also(x *diag.Run, in []string) {
	if out := alsoIn(x.Threads, in); len(out) > 0 {
		t.printf("  also in: %s\n", strings.Join(out, ", "))
	}
}

// alsoIn lists the runs that a bug of some threads is in, but theirs.
func alsoIn(threads, in []string) []string {
	var out []string
	for _, n := range in {
		if n != strings.Join(threads, " | ") {
			out = append(out, n)
		}
	}
	if more := len(out) - maxAlso; more > 0 {
		out = append(out[:maxAlso], fmt.Sprintf("and %d more", more))
	}
	return out
}

// bugTitle is the heading of a bug.
func bugTitle(n int, threads []string, b *diag.Bug) string {
	possible := ""
	if b.OnlyIf() {
		possible = "possible: "
	}
	title := fmt.Sprintf("bug %d: %s%s, csb=%d", n, possible, words(b.Kind), b.CSB)
	if len(threads) > 1 {
		title += ", " + strings.Join(threads, " | ")
	}
	return title
}

func (t *text) bug(n int, x *diag.Run, b *diag.Bug, in []string) {
	t.printf("\n%s\n", t.paint(headingColor, bugTitle(n, x.Threads, b)))
	if len(b.Waits) == 0 {
		t.bugPlace(b.Place, "")
		t.bugPlace(b.Other, "")
	}
	for _, w := range b.Waits {
		t.bugPlace(w.BugPlace, " "+w.Does)
	}
	t.also(x, in)
	if b.Message != "" && len(b.Waits) == 0 && !(b.Kind == "race" && b.Message == "data race") { // the title says that
		t.printf("  %s\n", b.Message)
	}
	if len(b.Guesses) > 0 {
		t.printf("  only if code not seen, or not followed, yields what it does here: %s\n", someOf(b.Guesses))
	}
	if b.Execution != nil {
		t.printf("\n")
		if t.err == nil {
			t.err = Execution(t.w, b.Execution, ExecutionOptions{Color: t.opt.Color})
		}
	}
	if b.Trace != "" {
		t.printf("  run it again: whoop replay %s\n", b.Trace)
	}
}

// bugPlace shows a place of a bug with its line, and what the thread does there.
func (t *text) bugPlace(p diag.BugPlace, does string) {
	if p.Pos.Line == 0 {
		return
	}
	who := ""
	if p.Thread != "" {
		who = " (" + p.Thread + ")"
	}
	t.printf("  %s%s%s\n", p.Pos, who, does)
	t.source(p.Pos)
}

// someOf lists the first places.
func someOf(ps []ir.Pos) string {
	var out []string
	for i, p := range ps {
		if i == 3 {
			out = append(out, "…")
			break
		}
		out = append(out, p.String())
	}
	return strings.Join(out, ", ")
}

// words is a kind of bug in words.
func words(kind string) string {
	if w := map[string]string{"assert": "an assertion fails", "reach_error": "the error is reached", "race": "a data race", "panic": "the program panics", "deadlock": "a deadlock", "goroutine-leak": "a goroutine blocks for good when main has returned",
		"livelock":    "an execution goes on for ever",
		"overflow":    "a signed integer overflow",
		"double-lock": "a lock is taken twice", "unlock-not-held": "a lock is released that is not held"}[kind]; w != "" {
		return w
	}
	return kind
}

// conclusion is the report in a line.
func (t *text) conclusion(r *diag.BoundedReport) string {
	bugs := map[string]int{}
	all, guessed := 0, 0
	var places []ir.Pos
	for _, x := range r.Runs {
		for _, b := range x.Bugs {
			bugs[b.Kind]++
			all++
			if b.OnlyIf() {
				guessed++
				places = append(places, b.Guesses...)
			}
		}
	}
	var kinds []string
	for k, n := range bugs {
		kinds = append(kinds, fmt.Sprintf("%s %d", k, n))
	}
	sort.Strings(kinds)
	what := ""
	if len(kinds) > 0 {
		what = strings.Join(kinds, ", ")
		if guessed > 0 {
			what += fmt.Sprintf("; %d of %d only if code not seen yields what it does there", guessed, all)
		}
		what = " (" + what + ")"
	}
	answer := t.open(r.Answer(), len(r.NotFollowed(r.Properties...)))
	if r.Answer() == diag.Possible {
		places = slices.CompactFunc(places, func(a, b ir.Pos) bool { return a == b })
		answer, what = fmt.Sprintf("%s, only if code not seen yields what it does at %s", plural(all, "possible bug"), someOf(places)), ""
	}
	done := ""
	if len(r.Runs) > 1 {
		done = plural(len(r.Runs), "pair") + ", "
	}
	return fmt.Sprintf("%s%s: %sat most %s, loops unrolled %s where nothing ends them before", answer, what, done, plural(r.CSB, "preemption"), times(r.Unroll))
}

// times says how often.
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

func (t *text) boundedSummary(r *diag.BoundedReport) {
	t.printf("\n%s: %s, %.2f s", r.Input, t.conclusion(r), r.Seconds)
	if r.VerifySeconds > 0 {
		t.printf(" of which verify %.2f s", r.VerifySeconds)
	}
	t.printf("\n")
	if !t.opt.Stats {
		return
	}
	t.printf("csb=%d, unroll=%d, yields=%s (all/epp/mr: %s)\n", r.CSB, r.Unroll, r.Yields, byMode(total(r.Runs), "/"))
	for _, x := range r.Runs {
		var out []string
		for k, v := range x.Counters {
			out = append(out, fmt.Sprintf("%s %d", k, v))
		}
		for k, v := range x.Phases {
			out = append(out, fmt.Sprintf("%s %.2fs", k, v.Seconds()))
		}
		sort.Strings(out)
		t.printf("%s: %s\n", strings.Join(x.Threads, " | "), strings.Join(out, ", "))
	}
}
