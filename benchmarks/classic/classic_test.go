package classic

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline"
)

var slow = flag.Bool("slow", false, "also run the programs that are marked slow")

// skipped are programs that the tool cannot check yet, with the reason.
var skipped = map[string]string{}

// expectation is what a program's EXPECT comments say.
type expectation struct {
	least            map[string]int // the kinds of bugs with the least csb; empty: none
	csb, unroll      int            // bounds of the check
	all              bool           // none: with any number of preemptions
	explore          int            // bound of the explorer, -1: none
	slow             bool
	racing, asserted map[int]bool // lines marked RACE!, lines with an assertion
}

// TestClassic holds bmc against the answers: of each kind of bug there is one at the expected csb and none below, and of other kinds
// there is none. Every bug was replayed before it came here.
func TestClassic(t *testing.T) {
	each(t, func(t *testing.T, file string, e *expectation) {
		rep := check(t, file, e.csb, e.unroll)
		got := map[string]int{}
		for _, b := range rep.Runs[0].Bugs {
			if c, ok := got[kindOf(b.Kind)]; !ok || b.CSB < c {
				got[kindOf(b.Kind)] = b.CSB
			}
			judgePlace(t, &b, e)
		}
		compare(t, "bmc", got, e.least)
		if a := rep.Answer(); e.all && a != diag.NoBug {
			t.Errorf("the answer is %q, want that there is no bug with any number of preemptions", a)
		}
		for kind, k := range e.least {
			if k == 0 {
				continue
			}
			for _, b := range check(t, file, k-1, e.unroll).Runs[0].Bugs {
				// Bugs beyond the bound are found where all schedules can be searched; they are said to need more.
				if kindOf(b.Kind) == kind && b.CSB < k {
					t.Errorf("a bug with csb=%d already:\n%s", k-1, b.Text)
				}
			}
		}
	})
}

// check runs bmc, which must get to the end of its bounds.
func check(t *testing.T, file string, csb, unroll int) *diag.BoundedReport {
	t.Helper()
	opt := pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, CSB: csb, Unroll: unroll, Yields: "mr"}
	rep, err := pipeline.CheckProgram(context.Background(), load(t, file), opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Runs) != 1 || rep.Runs[0].Reason != "" || rep.Answer() == diag.Undecided {
		t.Fatalf("csb=%d: %s %+v", csb, rep.Answer(), rep.Runs)
	}
	for _, a := range rep.Runs[0].Assumptions {
		t.Errorf("%s: %s: %s", a.Pos, a.Kind, a.Text)
	}
	return rep
}

func load(t *testing.T, file string) *ir.Program {
	t.Helper()
	p, err := pipeline.Load(file, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// kindOf is the word of the EXPECT comments for a kind of bug.
func kindOf(kind string) string {
	if kind == "assert" || kind == "reach_error" {
		return "assertion"
	}
	return kind
}

// judgePlace holds the lines of a bug against the source.
func judgePlace(t *testing.T, b *diag.Bug, e *expectation) {
	t.Helper()
	switch {
	case b.Kind == "race" && !(e.racing[b.Place.Pos.Line] && e.racing[b.Other.Pos.Line]):
		t.Errorf("a race at lines that are not marked so:\n%s", b.Text)
	case kindOf(b.Kind) == "assertion" && !e.asserted[b.Place.Pos.Line]:
		t.Errorf("no assertion is at line %d:\n%s", b.Place.Pos.Line, b.Text)
	}
}

// compare holds the kinds of bugs that were found, with their least csb, against the wanted ones.
func compare(t *testing.T, who string, got, want map[string]int) {
	t.Helper()
	for kind, k := range want {
		if c, ok := got[kind]; !ok {
			t.Errorf("%s: %s is not found, want csb=%d", who, kind, k)
		} else if c != k {
			t.Errorf("%s: %s is found with csb=%d, want %d", who, kind, c, k)
		}
	}
	for kind, c := range got {
		if _, ok := want[kind]; !ok {
			t.Errorf("%s: %s is found with csb=%d, want none", who, kind, c)
		}
	}
}

// each runs a test for every program that is not slow or skipped.
func each(t *testing.T, run func(t *testing.T, file string, e *expectation)) {
	files, err := filepath.Glob("programs/*.c")
	if err != nil || len(files) < 10 {
		t.Fatal(len(files), err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".c"), func(t *testing.T) {
			t.Parallel()
			if why := skipped[filepath.Base(f)]; why != "" {
				t.Skip(why)
			}
			e, err := expectations(f)
			if err != nil {
				t.Fatal(err)
			}
			if e.slow && !*slow {
				t.Skip("slow")
			}
			run(t, f, e)
		})
	}
}

// expectations reads the comments of a program.
func expectations(file string) (*expectation, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	e := &expectation{least: map[string]int{}, unroll: 2, explore: -1, racing: map[int]bool{}, asserted: map[int]bool{}}
	lines := bufio.NewScanner(f)
	count := 0
	for n := 1; lines.Scan(); n++ {
		s := lines.Text()
		e.racing[n] = strings.HasSuffix(s, "// RACE!")
		e.asserted[n] = strings.Contains(s, "assert(") || strings.Contains(s, "reach_error()")
		if words, ok := strings.CutPrefix(s, "// EXPECT "); ok {
			count++
			if err := e.read(strings.Fields(words)); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n, err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if count == 0 || count > 1 && len(e.least) != count {
		return nil, fmt.Errorf("%s: %d EXPECT comments of %d kinds", file, count, len(e.least))
	}
	return e, nil
}

// read takes in the words of one EXPECT comment.
func (e *expectation) read(words []string) error {
	csb := -1
	for _, w := range words[1:] {
		key, val, _ := strings.Cut(w, "=")
		n, err := strconv.Atoi(val)
		switch {
		case key == "csb" && err == nil && n >= 0:
			csb = n
		case key == "unroll" && err == nil && n > 0:
			e.unroll = n
		case key == "explore" && err == nil:
			e.explore = n
		case w == "all":
			e.all = true
		case w == "slow":
			e.slow = true
		default:
			return fmt.Errorf("%q is not understood", w)
		}
	}
	if csb < 0 {
		return fmt.Errorf("no csb is given")
	}
	e.csb = max(e.csb, csb)
	switch words[0] {
	case "none":
	case "assertion", "race", "deadlock", "double-lock", "unlock-not-held":
		e.least[words[0]] = csb
	default:
		return fmt.Errorf("%q is no kind of bug", words[0])
	}
	return nil
}

// compiled is a program ready to run, with its main function.
func compiled(t *testing.T, file string) (*interp.Program, interp.Harness) {
	t.Helper()
	p := load(t, file)
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return m, interp.MainOf(p.FuncByName("main"))
}
