package benchmarks

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/pipeline"
	"whoop/report"
	"whoop/trace"
	"whoop/trace/witness"
)

// unstated are bugs that rest on a value which a witness has no words for, by their
// places: the replay may choose another one.
var unstated = map[string]string{"races/library/text_racy.c:26:2": "the pointer that strtol stores"}

// TestWitnesses: what bmc finds in a program is written as a witness in both formats,
// read again, and replayed from the file alone, which shows the same bug.
func TestWitnesses(t *testing.T) {
	files, err := filepath.Glob("races/*/*_racy.c")
	if err != nil || len(files) < 60 {
		t.Fatal(len(files), err)
	}
	for i, f := range files {
		if !testscope.Every(i, 8) {
			continue
		}
		t.Run(strings.TrimSuffix(f, ".c"), func(t *testing.T) {
			t.Parallel()
			replayAll(t, f)
		})
	}
}

func replayAll(t *testing.T, f string) {
	p, err := pipeline.Load(f, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	opt := pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1, Timeout: *bmcTimeout}, CSB: 2, Unroll: 2, Yields: "mr"}
	rep, err := pipeline.CheckProgram(context.Background(), p, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range rep.Runs[0].Bugs {
		tr := b.Execution.Trace
		for _, format := range []witness.Format{witness.YAML, witness.GraphML} {
			name := fmt.Sprintf("%s %s at %s", format, b.Kind, b.Place.Pos)
			meta := witness.Meta{Producer: witness.Producer{Name: "whoop", Version: "test"}, Created: time.Unix(0, 0)}
			file, res, err := witness.Checked(context.Background(), p, tr, meta, format, witness.Options{})
			if err != nil && strings.Contains(err.Error(), "the trace ends before the race") {
				// the shortened trace shows the race by happens-before alone
				t.Logf("%s: %v", name, err)
				continue
			}
			if why := unstated[b.Place.Pos.String()]; err != nil && why != "" {
				t.Logf("%s: %s is not in the witness: %v", name, why, err)
				continue
			}
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, report.Interleaving(b.Execution))
				if res != nil {
					show(t, p, tr, meta)
				}
				continue
			}
			t.Logf("%s: %d bytes, %d instructions", name, len(file), res.Steps)
		}
	}
}

// show logs the witness that does not replay.
func show(t *testing.T, p *ir.Program, tr *trace.Trace, meta witness.Meta) {
	v, err := witness.FromTrace(p, tr, meta)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := v.WriteYAML(&b); err != nil {
		t.Fatal(err)
	}
	t.Log(b.String())
}
