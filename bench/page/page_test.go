package page

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"whoop/bench"
	"whoop/bench/task"
)

// sample has a run of each kind, by two configurations.
func sample() (*bench.Results, fstest.MapFS) {
	logs := fstest.MapFS{}
	r := &bench.Results{Schema: 1, Tool: "whoop", Configs: []bench.Config{{Name: "a"}, {Name: "b"}}, CPULimit: 60, Complete: true, Planned: 8}
	names := []string{"locks/first", "locks/second", "atomics/<script>alert(1)</script>", "atomics/last"}
	for i, n := range names {
		for k, c := range []string{"a", "b"} {
			log := fmt.Sprintf("logs/%d%s.txt", i, c)
			logs[log] = &fstest.MapFile{Data: []byte(fmt.Sprintf("log of %s by %s </script>", n, c))}
			family, _, _ := strings.Cut(n, "/")
			v := task.Verdict{Kind: task.True}
			class := task.Classify(task.Property{Name: "no-data-race"}, task.Expected{}, v)
			r.Runs = append(r.Runs, bench.Run{Task: n, Family: family, Property: "no-data-race", Config: c, Verdict: v, Class: class,
				CPUSeconds: float64((i*7+k*3)%5) + 0.25, WallSeconds: 1, MemoryBytes: 1 << 20, Log: log})
		}
	}
	return r, logs
}

func render(t *testing.T, r *bench.Results, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestEscaped: what results and logs say is text.
func TestEscaped(t *testing.T) {
	r, logs := sample()
	got := render(t, r, Options{Logs: logs})
	// the logs' and the page's own
	if strings.Contains(got, "<script>alert") || strings.Count(got, "</script>") != 2 {
		t.Errorf("markup of a task or a log is in the page: %d ends of scripts", strings.Count(got, "</script>"))
	}
	if !strings.Contains(got, "&lt;script&gt;alert(1)") {
		t.Error("the task's name is not in the page")
	}
	if plain := strings.ReplaceAll(got, `xmlns="http://www.w3.org/2000/svg"`, ""); strings.Contains(plain, "http://") || strings.Contains(plain, "https://") {
		t.Error("the page refers to the network")
	}
}

// TestDeterministic: equal results give equal bytes.
func TestDeterministic(t *testing.T) {
	r, logs := sample()
	if render(t, r, Options{Logs: logs}) != render(t, r, Options{Logs: logs}) {
		t.Error("two renderings differ")
	}
}

// TestCaps: of long logs the page has the beginning and the end, and of many no more than
// the cap.
func TestCaps(t *testing.T) {
	r, logs := sample()
	for name := range logs {
		logs[name] = &fstest.MapFile{Data: []byte("BEGINNING" + strings.Repeat("x", 100_000) + "ENDING")}
	}
	one := render(t, r, Options{Logs: logs, LogCap: 1000})
	if n := strings.Count(one, "BEGINNING"); n != len(r.Runs) || strings.Count(one, "ENDING") != n {
		t.Errorf("%d beginnings, %d ends of %d logs", n, strings.Count(one, "ENDING"), len(r.Runs))
	}
	if few := render(t, r, Options{Logs: logs, LogCap: 1000, TotalCap: 2500}); len(few) >= len(one) || strings.Count(few, "BEGINNING") > 3 {
		t.Errorf("%d bytes, %d logs within a cap for two", len(few), strings.Count(few, "BEGINNING"))
	}
}
