package benchmarks

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"whoop/diag"
	"whoop/internal/testscope"
	"whoop/pipeline"
	"whoop/report"
)

var (
	bmcTimeout = flag.Duration("bmc-timeout", 2*time.Second, "time for a program of the corpus in which bmc need not find anything")
	bmcYields  = flag.String("bmc-yields", "mr", "where bmc may switch threads, or \"each\" to compare all, epp and mr")
)

// notByAdjacency are programs whose races bmc does not show, with the reason.
var notByAdjacency = map[string]string{
	"races/taken/shared_rest_racy.c":     "of two threads, locks order all uses of one job; a third one would race",
	"races/sync/cond_no_loop_racy.c":     "a wait for a condition does not end by itself",
	"races/permits/elsewhere_racy.c":     "what another unit initialises is not followed",
	"races/library/moved_inner_racy.c":   "a function that is not seen does nothing to what its argument leads to",
	"races/library/out_param_racy.c":     "a function that is not seen stores nothing where its argument leads to",
	"races/library/moved_const_racy.c":   "a function that is not seen stores nothing where its argument leads to",
	"races/library/notify_racy.c":        "functions that the C library calls later are not run in a program with a main function (within bounds)",
	"races/own/signal_starts_racy.c":     "signal handlers are not run in a program with a main function (within bounds)",
	"races/atomics/word_lock_relaxed.c":  "the race is by the order of C11, as that of flag_relaxed_racy.c",
	"races/locks/wild_pointer.c":         "an address that is a number from outside leads nowhere",
	"races/atomics/refcount_relaxed.c":   "the race is by the order of C11, as that of flag_relaxed_racy.c",
	"races/atomics/word_lock_init.c":     "what pthread_spin_init leaves in the word that is taken by hand is not followed",
	"races/atomics/word_lock_acquire.c":  "the race is by the order of C11, as that of flag_relaxed_racy.c",
	"races/sync/sem_written.c":           "what is written into a semaphore as memory is not its count (POSIX leaves that undefined)",
	"races/sync/sem_signal_copied.c":     "the copy of a semaphore has no count of its own (POSIX leaves that undefined)",
	"races/atomics/flag_relaxed_racy.c":  "the race is by the order of C11, not side by side (assumption memory-model)",
	"races/basic/errorcheck_lock_racy.c": "what an error-checking mutex does when it is locked twice is not followed, and the race is behind it",
}

// withFailures are programs whose bugs need a call that fails.
var withFailures = map[string]bool{"races/threads/create_fails_racy.c": true}

// TestBMCCorpus runs bmc on every annotated program: a race that it shows must be at
// lines that race, a repaired program has no bug, and of every racy program a race is
// found by csb 2. Every bug was replayed before it came here.
func TestBMCCorpus(t *testing.T) {
	files, err := filepath.Glob("races/*/*.c")
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	for i, f := range files {
		if !testscope.Every(i, 2) {
			continue
		}
		t.Run(strings.TrimSuffix(f, ".c"), func(t *testing.T) {
			t.Parallel()
			checkBMC(t, f)
		})
	}
}

func checkBMC(t *testing.T, f string) {
	want, err := annotations(f)
	if err != nil {
		t.Fatal(err)
	}
	modes := []string{*bmcYields}
	if *bmcYields == "each" {
		modes = pipeline.Yields
	}
	first := ""
	opt := pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1, Timeout: *bmcTimeout}, CSB: 2, Unroll: 2, Failures: withFailures[f]}
	if mustShow(f, want) { // however long it takes, one race is enough
		opt.Timeout, opt.FirstBug, opt.Properties = 10*time.Minute, *bmcYields != "each", []string{"race"}
	}
	for i, y := range modes {
		opt.Yields = y
		rep, err := pipeline.BMC(context.Background(), f, opt)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(rep.Runs[0].Reason, "internal error") {
			t.Errorf("%s: %s", y, rep.Runs[0].Reason)
		}
		judgeBugs(t, f, want, rep)
		if found := kinds(rep); i == 0 {
			first = found
		} else if found != first && rep.Answer() != diag.Undecided {
			t.Errorf("%s finds %s, %s finds %s", modes[0], first, y, found)
		}
	}
}

// mustShow reports whether a race of the program has to be found.
func mustShow(f string, want map[int]expectation) bool {
	if notByAdjacency[f] != "" {
		return false
	}
	for _, e := range want {
		if e == "RACE!" {
			return true
		}
	}
	return false
}

// judgeBugs holds the bugs against the annotations.
func judgeBugs(t *testing.T, f string, want map[int]expectation, rep *diag.BoundedReport) {
	found, races := 0, 0
	for _, e := range want {
		if e == "RACE!" {
			races++
		}
	}
	for _, b := range rep.Runs[0].Bugs {
		if b.Kind != "race" {
			continue
		}
		found++
		for _, p := range []diag.BugPlace{b.Place, b.Other} {
			if e := want[p.Pos.Line]; e != "RACE!" {
				t.Errorf("%s: bmc shows a race at line %d, which is marked %q\n%s", rep.Yields, p.Pos.Line, e, report.Interleaving(b.Execution))
			}
		}
	}
	if found == 0 && mustShow(f, want) {
		t.Errorf("%s: no race found: %s %s", rep.Yields, rep.Answer(), rep.Runs[0].Reason)
	}
	if races == 0 && len(rep.Runs[0].Bugs) > 0 && strings.HasSuffix(f, "_ok.c") {
		t.Errorf("%s: a repaired program has a bug: %s", rep.Yields, report.Interleaving(rep.Runs[0].Bugs[0].Execution))
	}
}

// kinds sums up the places of the bugs.
func kinds(rep *diag.BoundedReport) string {
	seen := map[string]bool{}
	for _, x := range rep.Runs {
		for _, b := range x.Bugs {
			at := []string{fmt.Sprint(b.Place.Pos), fmt.Sprint(b.Other.Pos)}
			sort.Strings(at)
			seen[b.Kind+" "+strings.Join(at, " ")] = true
		}
	}
	var out []string
	for k := range seen {
		out = append(out, k)
	}
	sort.Strings(out)
	return strings.Join(out, "; ")
}
