package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"whoop/pipeline"
	"whoop/pipeline/confirm"
	"whoop/report"
)

// sarifPrograms are programs of all kinds: threads and drivers in C, programs and
// libraries in Go, racy and repaired, with accepted races and with warnings.
var sarifPrograms = []string{
	"examples/driver/logdev.c", "examples/driver/logdev_racy.c", "examples/visits", "examples/visits/repaired",
	"benchmarks/races/locks/cleanup_racy.c", "benchmarks/races/locks/nested_racy.c", "benchmarks/races/locks/nested_ok.c",
	"benchmarks/races/locks/wild_pointer.c", "benchmarks/races/locks/released_in_callee_racy.c", "benchmarks/races/locks",
	"benchmarks/golang/misuse/send_close", "benchmarks/golang/misuse/add_wait", "examples/threads/jobs.c", "benchmarks/golang/counter_racy",
}

// TestSARIFOfPrograms: what is written of twenty programs passes the validator of the
// format, and has what code scanning of GitHub asks for. Both accesses of a race are
// linked, and have thread flows.
func TestSARIFOfPrograms(t *testing.T) {
	programs := slices.Clone(sarifPrograms)
	for i, p := range programs {
		programs[i] = "../../" + p
	}
	for _, pattern := range []string{"atomics/*_racy.c", "basic/*_racy.c", "heap/*_racy.c", "data/*_racy.c", "own/*_racy.c"} {
		files, err := filepath.Glob("../../benchmarks/races/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no programs (%v)", pattern, err)
		}
		programs = append(programs, files[:min(len(files), 2)]...)
	}
	n, races := 0, 0
	for _, p := range programs {
		if _, err := os.Stat(p); err != nil {
			t.Errorf("%v", err)
			continue
		}
		n++
		t.Run(strings.TrimPrefix(p, "../../"), func(t *testing.T) {
			o := pipeline.Options{Jobs: 2, Comments: true, Warnings: true}
			rep, err := pipeline.Verify(context.Background(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			confirm.Run(context.Background(), p, rep, confirm.Options{Input: o, Executions: 200})
			var b bytes.Buffer
			if err := report.SARIF(&b, rep); err != nil {
				t.Fatal(err)
			}
			doc, err := sarif.FromBytes(b.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if err := doc.Validate(); err != nil {
				t.Error(err)
			}
			races += scannable(t, b.Bytes())
		})
	}
	if n < 20 || races < 20 {
		t.Errorf("%d programs with %d races", n, races)
	}
}

// The parts of a document that are asked about.
type (
	scanLocation struct {
		ID               *int
		PhysicalLocation *struct {
			ArtifactLocation struct{ URI, URIBaseID string }
			Region           *struct {
				StartLine int
				Snippet   *struct{ Text string }
			}
		}
		Message struct{ Text string }
	}
	scanStep struct {
		Location       scanLocation
		ExecutionOrder int
		Kinds          []string
		Importance     string
	}
	scanResult struct {
		RuleID              string
		RuleIndex           int
		Level               string
		Message             struct{ Text string }
		Locations           []scanLocation
		RelatedLocations    []scanLocation
		PartialFingerprints map[string]string
		CodeFlows           []struct {
			ThreadFlows []struct {
				ID        string
				Locations []scanStep
			}
		}
	}
	scanRule struct {
		ID, Name                                string
		ShortDescription, FullDescription, Help struct{ Text, Markdown string }
		DefaultConfiguration                    struct{ Level string }
		Properties                              map[string]any
	}
)

// link matches a link to a related location.
var link = regexp.MustCompile(`\]\((\d+)\)`)

// scannable checks a document by the rules of GitHub's code scanning, and returns how many
// races it has.
func scannable(t *testing.T, text []byte) (races int) {
	t.Helper()
	var doc struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []scanRule
				}
			}
			Results []scanResult
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema == "" || doc.Version != "2.1.0" || len(doc.Runs) != 1 {
		t.Errorf("schema %q, version %q, %d runs", doc.Schema, doc.Version, len(doc.Runs))
	}
	run := doc.Runs[0]
	for _, r := range run.Tool.Driver.Rules {
		for what, s := range map[string]string{"id": r.ID, "name": r.Name, "short description": r.ShortDescription.Text, "full description": r.FullDescription.Text,
			"help": r.Help.Text, "help in Markdown": r.Help.Markdown} {
			if s == "" || len(s) > 1024 {
				t.Errorf("rule %s: its %s is %q", r.ID, what, s)
			}
		}
		if !slices.Contains([]string{"error", "warning", "note"}, r.DefaultConfiguration.Level) {
			t.Errorf("rule %s: level %q", r.ID, r.DefaultConfiguration.Level)
		}
		if !slices.Contains([]any{"very-high", "high", "medium", "low"}, r.Properties["precision"]) ||
			!slices.Contains([]any{"error", "warning", "recommendation"}, r.Properties["problem.severity"]) {
			t.Errorf("rule %s: properties %v", r.ID, r.Properties)
		}
	}
	for _, r := range run.Results {
		if r.RuleIndex < 0 || r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s: rule %d is another one", r.RuleID, r.RuleIndex)
		}
		if r.Message.Text == "" || len(r.PartialFingerprints) == 0 || len(r.Locations) == 0 {
			t.Errorf("%s: message %q, fingerprints %v, %d locations", r.RuleID, r.Message.Text, r.PartialFingerprints, len(r.Locations))
		}
		for _, l := range append(slices.Clone(r.Locations), r.RelatedLocations...) {
			if err := l.shown(); err != nil {
				t.Errorf("%s: %v", r.Message.Text, err)
			}
		}
		linked(t, r)
		if len(r.CodeFlows) > 0 {
			races++
			flows(t, r)
		}
	}
	return races
}

// shown says why a location cannot be shown.
func (l scanLocation) shown() error {
	p := l.PhysicalLocation
	switch {
	case p == nil || p.ArtifactLocation.URI == "":
		return fmt.Errorf("a location without a file: %s", l.Message.Text)
	case !strings.HasPrefix(p.ArtifactLocation.URI, "file:") && p.ArtifactLocation.URIBaseID == "":
		return fmt.Errorf("%s is relative to nothing", p.ArtifactLocation.URI)
	case p.Region != nil && (p.Region.StartLine < 1 || p.Region.Snippet == nil):
		return fmt.Errorf("%s: line %d, without its text", p.ArtifactLocation.URI, p.Region.StartLine)
	}
	return nil
}

// linked checks that links in a message lead to related locations.
func linked(t *testing.T, r scanResult) {
	t.Helper()
	for _, m := range link.FindAllStringSubmatch(r.Message.Text, -1) {
		id, err := strconv.Atoi(m[1])
		if err != nil || !slices.ContainsFunc(r.RelatedLocations, func(l scanLocation) bool { return l.ID != nil && *l.ID == id }) {
			t.Errorf("%q leads to no location %s (%v)", r.Message.Text, m[1], err)
		}
	}
}

// flows checks that each flow of a race leads to both of its accesses, which nothing
// orders, and that what each thread does is in order.
func flows(t *testing.T, r scanResult) {
	t.Helper()
	if !link.MatchString(r.Message.Text) {
		t.Errorf("%q does not lead to the other access", r.Message.Text)
	}
	for i, cf := range r.CodeFlows {
		var at []int
		for _, tf := range cf.ThreadFlows {
			last := -1
			for k, s := range tf.Locations {
				// The other thread's access stands beside this one's, at the same time.
				beside := i == 0 && k > 0 && s.Importance == "essential" && tf.Locations[k-1].Importance == "essential"
				if s.ExecutionOrder <= last && (!beside || s.ExecutionOrder < last) {
					t.Errorf("%s: step %d after step %d", tf.ID, s.ExecutionOrder, last)
				}
				last = s.ExecutionOrder
				if s.Importance == "essential" {
					at = append(at, s.ExecutionOrder)
				}
			}
		}
		if i > 0 {
			continue // an execution, in which one comes first
		}
		if len(cf.ThreadFlows) != 2 || len(at) != 4 || at[0] != at[1] || at[1] != at[2] || at[2] != at[3] {
			t.Errorf("%q: %d threads, accesses at %v", r.Message.Text, len(cf.ThreadFlows), at)
		}
	}
}
