package report

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"whoop/diag"
)

// ExplorationText prints what explore found: each bug with its interleaving, what was not
// covered, a last line that says it all.
func ExplorationText(w io.Writer, x *diag.Exploration, opt Options) error {
	t := &text{w: w, opt: opt, src: newSources()}
	t.printf("%s: %s\n", x.Input, Conclusion(x))
	t.explored(x)
	for i := range x.Bugs {
		t.bug(i+1, inPair(x, i), &x.Bugs[i], inPairs(x, i))
	}
	for _, a := range x.Open {
		t.printf("\nnot covered (%s): %s: %s\n", a.Kind, a.Pos, a.Text)
	}
	t.assumptions(x.Assumptions)
	for _, n := range x.Notes {
		t.printf("\nnote: %s\n", n)
	}
	t.printf("\n%s: %s\n", x.Input, strings.Join(work(x), ", "))
	t.printf("%s\n", Conclusion(x))
	return t.err
}

// explored is a table with a line for each pair of a driver's entry points, and why some
// were not covered.
func (t *text) explored(x *diag.Exploration) {
	if len(x.Pairs) == 0 {
		return
	}
	var rows [][]string
	why := map[string][]string{}
	for _, p := range x.Pairs {
		if !p.Complete && !p.Skipped {
			why[p.Reason] = append(why[p.Reason], strings.Join(p.Threads, " | "))
		}
		rows = append(rows, []string{pairName(&p), pairAnswer(&p, x.Bugs), fmt.Sprint(p.Executions),
			fmt.Sprint(p.States), fmt.Sprintf("%.2f", p.Seconds)})
	}
	t.table([]string{"threads", "answer", "executions", "states", "seconds"}, rows)
	for _, r := range slices.Sorted(maps.Keys(why)) {
		t.printf("\nnot complete (%s): %s\n", r, someNames(why[r]))
	}
}

// pairName names a pair by its entry points.
func pairName(p *diag.ExploredPair) string {
	name := strings.Join(p.Threads, " | ")
	if p.Proved {
		name += " (proved race-free)"
	}
	return name
}

// pairAnswer is what is known of a pair in a few words; bugs are those of all pairs.
func pairAnswer(p *diag.ExploredPair, bugs []diag.Bug) string {
	found, possible := "no error", 0
	for _, k := range p.Bugs {
		if bugs[k].OnlyIf() {
			possible++
		}
	}
	if n := len(p.Bugs) - possible; n > 0 {
		found = plural(n, "error")
	}
	if possible > 0 {
		found += ", " + plural(possible, "possible error")
	}
	switch {
	case p.Skipped:
		return "not explored"
	case !p.Complete:
		return found + ", not complete"
	case len(p.Open) > 0:
		return fmt.Sprintf("%s, but %s not followed", found, were(len(p.Open)))
	}
	return found
}

// someNames lists the first names, and how many others there are.
func someNames(names []string) string {
	const shown = 4
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more pairs", strings.Join(names[:shown], ", "), len(names)-shown)
}

// inPairs names the pairs that a bug was found in; none of a program with a main
// function.
func inPairs(x *diag.Exploration, bug int) []string {
	var out []string
	for _, p := range x.Pairs {
		if slices.Contains(p.Bugs, bug) {
			out = append(out, strings.Join(p.Threads, " | "))
		}
	}
	return out
}

// inPair is the first pair that a bug was found in, as bmc's report has it.
func inPair(x *diag.Exploration, bug int) *diag.Run {
	for _, p := range x.Pairs {
		if slices.Contains(p.Bugs, bug) {
			return &diag.Run{Threads: p.Threads}
		}
	}
	return &diag.Run{}
}

// work is what was done, in words.
func work(x *diag.Exploration) []string {
	out := []string{x.Strategy}
	switch {
	case x.Bound >= 0:
		out = append(out, fmt.Sprintf("bound %d", x.Bound))
	case x.Strategy == "context-bound":
		out = append(out, "no bound")
	}
	if len(x.Pairs) > 0 {
		out = append(out, plural(len(x.Pairs), "pair"))
	}
	out = append(out, fmt.Sprintf("seed %d", x.Seed))
	for _, c := range []struct {
		n    int64
		what string
	}{{x.Redundant, "cut off as redundant"}, {x.Stuck, "stopped at an error or a false assumption"}, {x.Deadlocks, "deadlocked"}, {x.Events, "events"}} {
		if c.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if len(x.Strata) > 0 {
		by := "delays"
		if x.Strategy == "irs" {
			by = "stratum"
		}
		out = append(out, fmt.Sprintf("executions by their %s: %d", by, x.Strata))
	}
	if s := x.Stops; x.Workers > 1 {
		out = append(out, fmt.Sprintf("%d workers with %d parts (stopped %d times for their budget, %d disputed, %d asked for work, %d done)",
			x.Workers, s.Heads+1, s.Budget, s.Disputed, s.Asked, s.Done))
	}
	return append(out, fmt.Sprintf("the longest execution has %d", x.Longest), fmt.Sprintf("%.2f s", x.Seconds))
}

// Conclusion is the last line of the text: whether all was covered, how many executions
// there were, and what went wrong.
func Conclusion(x *diag.Exploration) string {
	errors, possible := "no error", 0
	if x.Strategy == "liveness" {
		errors = "no execution goes on for ever"
	}
	for i := range x.Bugs {
		if x.Bugs[i].OnlyIf() {
			possible++
		}
	}
	if n := len(x.Bugs) - possible; n > 0 {
		errors = plural(n, "error")
	}
	if possible > 0 {
		errors += fmt.Sprintf(", and %s only if code not seen yields certain values", plural(possible, "possible error"))
	}
	counted := fmt.Sprintf("%s, %s", plural(int(x.Executions), "execution"), errors)
	if x.States > 0 { // executions that come to a state once more are not counted
		counted = fmt.Sprintf("%s, %s", plural(int(x.States), "state"), errors)
	}
	weaker := ""
	if x.Weak != nil {
		weaker = fmt.Sprintf("%s asks for an order that is weaker", x.Weak)
	}
	if !x.Complete {
		if weaker != "" {
			weaker = "; executions are sequentially consistent, and " + weaker
		}
		return fmt.Sprintf("not complete (%s%s): %s", x.Reason, weaker, counted)
	}
	complete := "complete"
	if x.BoundHit {
		what := "preemption"
		if x.Strategy != "context-bound" {
			what = "delay"
		}
		complete += fmt.Sprintf(" up to %s", plural(x.Bound, what))
	}
	if len(x.Open) > 0 {
		complete += fmt.Sprintf(", but %s not followed", were(len(x.Open)))
	}
	if weaker != "" {
		complete += fmt.Sprintf(" under sequential consistency (%s)", weaker)
	}
	return complete + ": " + counted
}

func were(places int) string {
	if places == 1 {
		return "1 place was"
	}
	return fmt.Sprintf("%d places were", places)
}

// jsonExploration is the schema of explore (docs/reference/json.md); arrays are never
// null.
type jsonExploration struct {
	Schema      int              `json:"schema"`
	Tool        string           `json:"tool"`
	Version     string           `json:"version"`
	Command     string           `json:"command"`
	Input       string           `json:"input"`
	Strategy    string           `json:"strategy"`
	Bound       int              `json:"bound"`
	Seed        uint64           `json:"seed"`
	Complete    bool             `json:"complete"`
	BoundHit    bool             `json:"bound_hit"`
	Reason      string           `json:"reason"`
	Executions  int64            `json:"executions"`
	Redundant   int64            `json:"redundant"`
	Stuck       int64            `json:"stuck"`
	Deadlocks   int64            `json:"deadlocks"`
	Events      int64            `json:"events"`
	States      int64            `json:"states"`
	Longest     int              `json:"longest"`
	Classes     int64            `json:"reads_from"`
	Strata      []int64          `json:"strata"`
	Workers     int              `json:"workers"`
	Stops       jsonStops        `json:"stops"`
	Bugs        []jsonBug        `json:"bugs"`
	NotCovered  []jsonAssumption `json:"not_covered"`
	WeakOrder   *jsonLine        `json:"weak_order"`
	Assumptions []jsonAssumption `json:"assumptions"`
	Notes       []string         `json:"notes"`
	Seconds     float64          `json:"seconds"`
	Pairs       []jsonPairOf     `json:"pairs"`
}

// jsonPairOf is diag.ExploredPair.
type jsonPairOf struct {
	Threads    []string         `json:"threads"`
	Proved     bool             `json:"proved_race_free"`
	Skipped    bool             `json:"skipped"`
	Complete   bool             `json:"complete"`
	BoundHit   bool             `json:"bound_hit"`
	Reason     string           `json:"reason"`
	Executions int64            `json:"executions"`
	States     int64            `json:"states"`
	Bugs       []int            `json:"bugs"`
	NotCovered []jsonAssumption `json:"not_covered"`
	Seconds    float64          `json:"seconds"`
}

// jsonStops is diag.Stops.
type jsonStops struct {
	Budget   int64 `json:"budget"`
	Disputed int64 `json:"disputed"`
	Asked    int64 `json:"asked"`
	Done     int64 `json:"done"`
	Heads    int64 `json:"heads"`
}

// jsonLine is a line of the input.
type jsonLine struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// ExplorationJSON prints the report of explore as documented in docs/reference/json.md.
func ExplorationJSON(w io.Writer, x *diag.Exploration) error {
	j := jsonExploration{Schema: 1, Tool: x.Tool, Version: x.Version, Command: x.Command, Input: x.Input, Strategy: x.Strategy, Bound: x.Bound,
		Seed: x.Seed, Complete: x.Complete, BoundHit: x.BoundHit, Reason: x.Reason, Executions: x.Executions, Redundant: x.Redundant, Stuck: x.Stuck,
		Deadlocks: x.Deadlocks, Events: x.Events, States: x.States, Longest: x.Longest, Classes: x.Classes, Strata: append([]int64{}, x.Strata...), Workers: x.Workers, Stops: jsonStops(x.Stops), Bugs: []jsonBug{}, NotCovered: jsonAssumptions(x.Open),
		Assumptions: jsonAssumptions(x.Assumptions), Notes: append([]string{}, x.Notes...),
		Seconds: x.Seconds, Pairs: []jsonPairOf{}}
	for _, p := range x.Pairs {
		j.Pairs = append(j.Pairs, jsonPairOf{Threads: p.Threads, Proved: p.Proved,
			Skipped: p.Skipped, Complete: p.Complete, BoundHit: p.BoundHit, Reason: p.Reason,
			Executions: p.Executions, States: p.States, Bugs: append([]int{}, p.Bugs...),
			NotCovered: jsonAssumptions(p.Open), Seconds: p.Seconds})
	}
	if x.Weak != nil {
		j.WeakOrder = &jsonLine{x.Weak.File, x.Weak.Line}
	}
	for i := range x.Bugs {
		j.Bugs = append(j.Bugs, bugJSON(&x.Bugs[i]))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(j)
}
