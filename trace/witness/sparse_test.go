package witness_test

import (
	"context"
	"math/rand"
	"testing"

	"whoop/trace/witness"
)

// TestSparse: witnesses in which waypoints are missing, threads are not named, or places
// have lost their columns are replayed without harm, and what is confirmed is a bug of
// the kind; most of them still lead to it.
func TestSparse(t *testing.T) {
	const seed = 1
	rnd := rand.New(rand.NewSource(seed))
	all, found := 0, 0
	for _, x := range programs {
		p := load(t, head+x.src)
		v, err := witness.FromTrace(p, bug(t, p, x.kind), meta)
		if err != nil {
			t.Fatal(err)
		}
		for range 12 {
			c := thinner(rnd, v)
			res, err := c.Replay(context.Background(), p, witness.Options{Steps: 200_000})
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, x.name, err)
			}
			all++
			if res.Confirmed {
				found++
				if res.Trace.Bug.Kind != x.kind {
					t.Errorf("seed %d: %s: the replay shows a %s, want a %s", seed, x.name, res.Trace.Bug.Kind, x.kind)
				}
			} else if res.Reason == "" {
				t.Errorf("seed %d: %s: not confirmed, and no reason", seed, x.name)
			}
		}
	}
	t.Logf("seed %d: %d of %d confirmed", seed, found, all)
	if found < all*2/3 {
		t.Errorf("seed %d: %d of %d confirmed", seed, found, all)
	}
}

// thinner leaves out some of a witness.
func thinner(rnd *rand.Rand, v *witness.Violation) *witness.Violation {
	c := &witness.Violation{Meta: v.Meta, After: rnd.Intn(2) == 0}
	columns, names := rnd.Intn(3) > 0, rnd.Intn(3) > 0
	for i, s := range v.Segments {
		if i+1 < len(v.Segments) && s[0].Type == witness.Assumption && rnd.Intn(4) == 0 {
			continue
		}
		var k witness.Segment
		for _, w := range s {
			if !columns {
				w.At.Column, w.At.Offset = 0, 0
			}
			if !names {
				w.Thread, w.Creates = "", ""
			}
			k = append(k, w)
		}
		c.Segments = append(c.Segments, k)
	}
	return c
}
