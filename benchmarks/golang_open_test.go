package benchmarks

import (
	"context"
	"testing"

	"whoop/diag"
	"whoop/ir"
	"whoop/pipeline"
)

// TestOpenCalls: where open calls may do anything, more is reported than where they are
// confined, and nothing is lost.
func TestOpenCalls(t *testing.T) {
	for _, name := range []string{"lib_open_calls", "lib_open_calls_racy", "lib_boxes", "callback_racy"} {
		dir := "golang/" + name
		got := map[string]map[ir.Pos]bool{}
		for _, open := range []string{pipeline.OpenConfined, pipeline.OpenAny} {
			rep, err := pipeline.Verify(context.Background(), dir, pipeline.Options{Jobs: 2, OpenCalls: open})
			if err != nil {
				t.Fatal(err)
			}
			got[open] = lines(rep)
		}
		for a := range got[pipeline.OpenConfined] {
			if !got[pipeline.OpenAny][a] {
				t.Errorf("%s: %v is reported where open calls are confined alone", name, a)
			}
		}
		if name != "callback_racy" && name != "lib_open_calls_racy" && len(got[pipeline.OpenAny]) <= len(got[pipeline.OpenConfined]) {
			t.Errorf("%s: %d places are reported where open calls may do anything, %d where they are confined", name,
				len(got[pipeline.OpenAny]), len(got[pipeline.OpenConfined]))
		}
	}
}

// lines are the places of a report's races.
func lines(rep *diag.Report) map[ir.Pos]bool {
	out := map[ir.Pos]bool{}
	for _, r := range rep.Races {
		for _, a := range []diag.Access{r.First, r.Second} {
			out[ir.Pos{File: a.Pos.File, Line: a.Pos.Line}] = true
		}
	}
	return out
}
