package report

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/olekukonko/tablewriter"

	"whoop/diag"
	"whoop/ir"
)

// BoundedText prints what bmc found: a table of the runs, each bug with its interleaving,
// the assumptions, a summary line.
func BoundedText(w io.Writer, r *diag.BoundedReport, opt Options) error {
	t := &text{w: w, opt: opt, src: newSources()}
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
	if !t.opt.Color {
		return string(a)
	}
	c := map[diag.Answer]string{diag.NoBug: "32", diag.HasBug: "31", diag.Possible: "35", diag.Undecided: "33", diag.Partial: "33", diag.Bounded: "36"}[a]
	return "\x1b[" + c + "m" + string(a) + "\x1b[0m"
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
	tab := tablewriter.NewWriter(t.w)
	tab.SetHeader([]string{"threads", "answer", "covered", "yields all/epp/mr", "seconds"})
	tab.SetAutoFormatHeaders(false)
	tab.SetAutoWrapText(false)
	tab.SetBorder(false)
	tab.SetHeaderAlignment(tablewriter.ALIGN_LEFT)
	tab.SetAlignment(tablewriter.ALIGN_LEFT)
	for _, x := range r.Runs {
		name := strings.Join(x.Threads, " | ")
		if x.Proved {
			name += " (proved race-free)"
		}
		answer := t.open(x.Answer, notFollowed(r, &x))
		if x.Skipped {
			answer = "not checked"
		}
		tab.Append([]string{name, answer, covered(r, &x), byMode(x.YieldsBy, "/"), fmt.Sprintf("%.2f", x.Seconds)})
	}
	tab.Render()
	for _, x := range r.Runs {
		if x.Reason != "" {
			t.printf("\n%s: %s\n", strings.Join(x.Threads, " | "), x.Reason)
		}
		for _, a := range x.Assumptions {
			t.printf("\n%s: not covered (%s): %s: %s\n", strings.Join(x.Threads, " | "), a.Kind, a.Pos, a.Text)
		}
	}
}

// maxNumbers is how many bugs of a property are listed by their numbers.
const maxNumbers = 8

// properties is a table of what is known of each property in all runs.
func (t *text) properties(r *diag.BoundedReport) {
	t.printf("\n")
	tab := tablewriter.NewWriter(t.w)
	tab.SetHeader([]string{"property", "answer", "bug numbers"})
	tab.SetAutoFormatHeaders(false)
	tab.SetAutoWrapText(false)
	tab.SetBorder(false)
	tab.SetHeaderAlignment(tablewriter.ALIGN_LEFT)
	tab.SetAlignment(tablewriter.ALIGN_LEFT)
	for _, p := range r.ByProperty() {
		var bugs []string
		for i, n := range p.Bugs {
			if i == maxNumbers {
				bugs = append(bugs, fmt.Sprintf("and %d more", len(p.Bugs)-i))
				break
			}
			bugs = append(bugs, fmt.Sprint(n))
		}
		tab.Append([]string{p.Property, t.open(p.Answer, p.NotFollowed), strings.Join(bugs, ", ")})
	}
	tab.Render()
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
	var out []string
	for _, n := range in {
		if n != strings.Join(x.Threads, " | ") {
			out = append(out, n)
		}
	}
	if more := len(out) - maxAlso; more > 0 {
		out = append(out[:maxAlso], fmt.Sprintf("and %d more", more))
	}
	if len(out) > 0 {
		t.printf("  also in: %s\n", strings.Join(out, ", "))
	}
}

func (t *text) bug(n int, x *diag.Run, b *diag.Bug, in []string) {
	possible := ""
	if b.OnlyIf() {
		possible = "possible: "
	}
	t.printf("\nbug %d: %s%s, csb=%d", n, possible, words(b.Kind), b.CSB)
	if len(x.Threads) > 1 {
		t.printf(", %s", strings.Join(x.Threads, " | "))
	}
	t.printf("\n")
	if len(b.Waits) == 0 {
		t.bugPlace(b.Place, "")
		t.bugPlace(b.Other, "")
	}
	for _, w := range b.Waits {
		t.bugPlace(w.BugPlace, " "+w.Does)
	}
	t.also(x, in)
	if b.Message != "" && len(b.Waits) == 0 {
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
	if line, ok := t.src.line(p.Pos); ok {
		t.printf("    | %s\n    | %s^\n", line, pad(line, p.Pos.Col))
	}
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
	if w := map[string]string{"assert": "an assertion fails", "reach_error": "the error is reached", "race": "a data race", "panic": "the program panics", "deadlock": "a deadlock",
		"livelock":    "an execution goes on for ever",
		"overflow":    "a signed integer overflow",
		"double-lock": "a lock is taken twice", "unlock-not-held": "a lock is released that is not held"}[kind]; w != "" {
		return w
	}
	return kind
}

func (t *text) boundedSummary(r *diag.BoundedReport) {
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
	t.printf("\n%s: %s%s: %s, csb=%d, unroll=%d, yields=%s (all/epp/mr: %s), %.2f s", r.Input, answer, what, plural(len(r.Runs), "run"), r.CSB, r.Unroll,
		r.Yields, byMode(total(r.Runs), "/"), r.Seconds)
	if r.VerifySeconds > 0 {
		t.printf(" of which verify %.2f s", r.VerifySeconds)
	}
	t.printf("\n")
	if !t.opt.Stats {
		return
	}
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
