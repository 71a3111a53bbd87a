package benchmarks

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"whoop/diag"
	"whoop/internal/randgo"
	"whoop/internal/testscope"
	"whoop/pipeline"
)

var (
	showAlarms = flag.Bool("alarms", false, "print the random Go programs with false alarms")
	searched   = flag.Int("searched", testscope.Count(0, 5), "bmc and explore look at one of so many random Go programs that verify calls race-free (0: at none)")
)

// batch is how many random Go programs are verified in one run.
const batch = 30

// TestRandomGo holds verify's answers on random Go programs against the executions of a
// model: each conflict that the model shows must be reported, or the answer be unknown.
// What is reported and not shown is counted.
func TestRandomGo(t *testing.T) {
	t.Logf("%d programs from seed %d on", *programs, *seed)
	alarms := map[string]int{}
	done := 0
	for first := *seed; done < *programs; first += batch {
		n := min(batch, *programs-done)
		verifyRandom(t, uint64(first), n, alarms)
		done += n
	}
	var lines []string
	for k, n := range alarms {
		lines = append(lines, fmt.Sprintf("%6d %s", n, k))
	}
	sort.Sort(sort.Reverse(sort.StringSlice(lines)))
	t.Logf("\n%s", strings.Join(lines, "\n"))
}

// verifyRandom verifies n programs from a seed on.
func verifyRandom(t *testing.T, first uint64, n int, alarms map[string]int) {
	dir := t.TempDir()
	writeFile(t, dir, "go.mod", "module random\n\ngo 1.26\n")
	all := map[string]*randgo.Program{}
	for i := range uint64(n) {
		p := randgo.Generate(first + i)
		name := fmt.Sprintf("p%d", first+i)
		all[name] = p
		writeFile(t, dir, name+"/main.go", p.Text(randgo.Layout{}))
	}
	rep, err := pipeline.Verify(context.Background(), dir+"/...", pipeline.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	got := byProgram(rep)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p, free := all[name], alarms["program race-free"]
		o := holdRandom(t, name, p, got[name], alarms)
		if o.Panics[randgo.Foreign] > 0 {
			continue // assumption lock-discipline
		}
		if n := alarms["program race-free"]; n > free && *searched > 0 && n%*searched == 0 {
			searchRandom(t, filepath.Join(dir, name), p, alarms)
		}
	}
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// answer is what verify says of one program.
type answer struct {
	unknown bool
	pairs   map[[2]int]string // kinds by lines
}

// byProgram divides a report.
func byProgram(rep *diag.Report) map[string]*answer {
	out := map[string]*answer{}
	of := func(name string) *answer {
		if out[name] == nil {
			out[name] = &answer{pairs: map[[2]int]string{}}
		}
		return out[name]
	}
	for _, p := range rep.Pairs {
		if name, _, ok := strings.Cut(p.First, ": "); ok && (p.Verdict == diag.Unknown || p.Doubt != "") {
			of(filepath.Base(name)).unknown = true
		}
	}
	for _, r := range rep.Races {
		a, b := r.First.Pos, r.Second.Pos
		kind := r.Kind
		if kind == "" {
			kind = randgo.DataRace
		}
		of(filepath.Base(filepath.Dir(a.File))).pairs[[2]int{min(a.Line, b.Line), max(a.Line, b.Line)}] = kind
	}
	return out
}

// holdRandom holds one program's answer against the model.
func holdRandom(t *testing.T, name string, p *randgo.Program, got *answer, alarms map[string]int) *randgo.Outcome {
	if got == nil {
		got = &answer{}
	}
	budget := randgo.Budget{Runs: 3000, Steps: 300, Seed: 1}
	if len(got.pairs) == 0 && !got.unknown {
		budget.Runs *= 3
	}
	o, missed := p.Explore(budget), false
	for c := range o.Found {
		if got.pairs[[2]int{c.First, c.Second}] == "" && !got.unknown {
			missed = true
			t.Errorf("%s: %s of the lines %d and %d is not reported", name, c.Kind, c.First, c.Second)
		}
	}
	if missed {
		t.Logf("reported: %v\n%s", got.pairs, numbered(p.Text(randgo.Layout{})))
	}
	got.count(t, name, p, o, alarms)
	return o
}

// count counts what is reported by whether the model shows it.
func (got *answer) count(t *testing.T, name string, p *randgo.Program, o *randgo.Outcome, alarms map[string]int) {
	for at, kind := range got.pairs {
		switch {
		case o.Shows(at[0], at[1]):
			alarms["real "+kind]++
		case o.All:
			alarms["false "+kind]++
			if *showAlarms {
				t.Logf("%s: false %s of the lines %v\n%s", name, kind, at, numbered(p.Text(randgo.Layout{})))
			}
		default:
			alarms["not shown "+kind]++
		}
	}
	switch {
	case got.unknown:
		alarms["program unknown"]++
	case len(got.pairs) == 0:
		alarms["program race-free"]++
	}
}

// searchRandom lets bmc and explore look for races in a program that verify calls
// race-free.
func searchRandom(t *testing.T, dir string, p *randgo.Program, alarms map[string]int) {
	t.Helper()
	opt := pipeline.Options{Timeout: 20 * time.Second, Jobs: 1}
	b, err := pipeline.BMC(context.Background(), dir, pipeline.BMCOptions{Options: opt, CSB: 2, Unroll: 3, Yields: "all", Properties: []string{"race"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range b.Runs {
		for _, bug := range r.Bugs {
			t.Errorf("%s: bmc: %s\n%s", filepath.Base(dir), bug.Message, numbered(p.Text(randgo.Layout{})))
		}
	}
	e, err := pipeline.Explore(context.Background(), dir, pipeline.ExploreOptions{Options: opt, Strategy: "portfolio",
		Bound: -1, Executions: 2000, KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, bug := range e.Bugs {
		if strings.Contains(bug.Kind, "race") {
			t.Errorf("%s: explore: %s\n%s", filepath.Base(dir), bug.Message, numbered(p.Text(randgo.Layout{})))
		}
	}
	alarms["searched by bmc and explore"]++
}

func numbered(text string) string {
	var b strings.Builder
	for i, l := range strings.Split(text, "\n") {
		fmt.Fprintf(&b, "%3d %s\n", i+1, l)
	}
	return b.String()
}
