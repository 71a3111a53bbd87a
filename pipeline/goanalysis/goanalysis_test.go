package goanalysis

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// with is a new analyzer with flags set.
func with(t *testing.T, flags ...string) *analysis.Analyzer {
	t.Helper()
	a := newAnalyzer()
	if err := analysis.Validate([]*analysis.Analyzer{a}); err != nil {
		t.Fatal(err)
	}
	for _, f := range flags {
		if err := a.Flags.Set(f, "true"); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// TestRaces: each race once, at its first access; what is ignored is not there.
func TestRaces(t *testing.T) {
	for _, r := range analysistest.Run(t, analysistest.TestData(), with(t), "racy") {
		for _, d := range r.Diagnostics {
			if d.Category == "data-race" && (len(d.Related) != 1 || r.Pass.Fset.Position(d.Related[0].Pos).Line < 15) {
				t.Errorf("%s: related places %v", d.Message, d.Related)
			}
		}
	}
}

func TestWarnings(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), with(t, "warnings"), "locks")
}

func TestUndecided(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), with(t, "undecided"), "undecided")
}
