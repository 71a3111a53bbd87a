package pipeline

import (
	"strings"
	"testing"

	"whoop/diag"
)

// TestGuarded: a broken invariant leaves a pair undecided and says where it is.
func TestGuarded(t *testing.T) {
	j := &job{names: []string{"f", "g"}}
	r, err := guarded(j, func() (diag.Run, error) {
		var none []int
		return diag.Run{CSB: none[len(j.names)]}, nil
	})
	if err != nil || r.Reason == "" || len(r.Threads) != 2 || r.CSB != -1 {
		t.Errorf("%+v, %v", r, err)
	}
	if !strings.Contains(r.Reason, "index out of range") || !strings.Contains(r.Reason, "guard_test.go:") {
		t.Errorf("the reason %q does not say what and where", r.Reason)
	}
	if r, err := guarded(j, func() (diag.Run, error) { return diag.Run{CSB: 3}, nil }); r.CSB != 3 || err != nil {
		t.Errorf("%+v, %v", r, err)
	}
}
