package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"whoop/diag"
)

// verdicts verifies a program and returns the verdicts of its pairs, by "first|second".
func verdicts(t *testing.T, src string) map[string]diag.Verdict {
	t.Helper()
	path := filepath.Join(t.TempDir(), "d.c")
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	rep, err := Verify(context.Background(), path, Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]diag.Verdict{}
	for _, p := range rep.Pairs {
		out[p.First+"|"+p.Second] = p.Verdict
	}
	return out
}
