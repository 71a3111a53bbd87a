package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/diag"
)

// TestLateEntries checks that a program is unknown, and not rejected or taken for one without callbacks, when the time is up before its entry points are found.
func TestLateEntries(t *testing.T) {
	file := filepath.Join(t.TempDir(), "late.c")
	if err := os.WriteFile(file, []byte("int x; void on(int n) { x = n; } void each(void (*f)(int)); int main(void) { each(on); x = 1; return x; }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	rep, err := Verify(t.Context(), file, Options{Timeout: 1})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Verdict != diag.Unknown || rep.ExitStatus() != 3 || len(rep.Pairs) == 0 {
		t.Fatalf("%s, exit status %d, %d pairs; want unknown", rep.Verdict, rep.ExitStatus(), len(rep.Pairs))
	}
	for _, p := range rep.Pairs {
		if p.Verdict != diag.Unknown || !strings.Contains(p.Reason, "not all found in time") {
			t.Errorf("%s and %s: %s (%s)", p.First, p.Second, p.Verdict, p.Reason)
		}
	}
}
