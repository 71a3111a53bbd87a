package neighbours

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whoop/diag"
	"whoop/pipeline"
)

var all = flag.Bool("all", false, "verify all programs, not a part")

// share of the programs that are verified without -all: one of so many.
const share = 2

// TestNeighbours: no program with a race is called race-free, or without anything concurrent.
func TestNeighbours(t *testing.T) {
	text, err := os.ReadFile("expected.tsv")
	if err != nil {
		t.Fatal(err)
	}
	right, alarms, n := 0, 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, "\t")
		if len(f) < 4 {
			t.Fatalf("%q has not four columns", line)
		}
		if f[1] != "verify" {
			continue
		}
		if n++; !*all && n%share != 0 {
			continue
		}
		rep, err := pipeline.Verify(context.Background(), filepath.FromSlash(f[0]), pipeline.Options{Jobs: 1, Timeout: time.Minute})
		if err != nil {
			t.Errorf("%s: %v", f[0], err)
			continue
		}
		silent := rep.Verdict == diag.RaceFree || rep.Verdict == diag.Nothing
		switch {
		case f[2] != "race-free" && silent:
			t.Errorf("%s is %s: %s", f[0], rep.Verdict, f[3])
		case f[2] == "race-free" && rep.Verdict == diag.Racy:
			alarms++
			t.Logf("%s is a false alarm: %s", f[0], f[3])
		default:
			right++
		}
	}
	t.Logf("%d as expected, %d false alarms", right, alarms)
}
