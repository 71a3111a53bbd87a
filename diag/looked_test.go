package diag

import "testing"

// TestNothing: without pairs nothing was compared, which is no proof; where something is
// not seen that may start threads, it is not known.
func TestNothing(t *testing.T) {
	pair := []Pair{{First: "a", Second: "b", Verdict: RaceFree}}
	for _, tc := range []struct {
		name   string
		r      Report
		want   Verdict
		status int
	}{
		{"no pairs", Report{}, Nothing, 0},
		{"no pairs, unseen", Report{Looked: Looked{Unseen: []string{"f"}}}, Unknown, 3},
		{"pairs, unseen", Report{Pairs: pair, Looked: Looked{Unseen: []string{"f"}}}, RaceFree, 0},
		{"pairs were chosen", Report{Chosen: true}, RaceFree, 0},
	} {
		tc.r.Finish()
		if tc.r.Verdict != tc.want || tc.r.ExitStatus() != tc.status {
			t.Errorf("%s: %s, %d", tc.name, tc.r.Verdict, tc.r.ExitStatus())
		}
	}
	r := Report{}
	r.Finish()
	r.Join(&Report{Pairs: pair})
	if r.Verdict != RaceFree {
		t.Errorf("joined: %s", r.Verdict)
	}
}
