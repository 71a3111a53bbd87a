package check

import (
	"strings"
	"testing"
)

// TestNoTime: where the time is up before an engine has answered, the verdict is UNKNOWN;
// it was an error of the command line.
func TestNoTime(t *testing.T) {
	const src = `extern int __VERIFIER_nondet_int(void); extern void reach_error(void); int main(void) { int x = __VERIFIER_nondet_int(); if (x * x == 49) reach_error(); return 0; }`
	for _, engines := range [][]string{nil, {"verify"}, {"absint"}, {"invariants"}, {"bmc"}} {
		r := run1(t, src, Options{Property: Unreach, Timeout: 1, Engines: engines})
		if v := r.Verdict(); !strings.HasPrefix(v, "UNKNOWN(") || v == "UNKNOWN()" || r.ExitStatus() != 3 {
			t.Errorf("%v: %s", engines, v)
		}
	}
}
