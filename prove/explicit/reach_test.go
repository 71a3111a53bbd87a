package explicit

import (
	"context"
	"runtime"
	"testing"

	"whoop/ir"
)

// TestMemory: a search with little memory ends without an answer; the same with enough
// has one.
func TestMemory(t *testing.T) {
	p := source(t, `int n, m;
void *worker(void *a) { while (n < 90) n++; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); while (m < 90) m++; check(n <= 90); }`)
	o := Options{States: 1_000_000, Values: 1_000, Wanted: func(a *ir.Assert) bool { return a.Tag == "reach_error" }}
	runtime.GC() // what is alive is counted then
	for _, c := range []struct {
		memory uint64
		reason string
	}{{1, "too much memory"}, {1 << 40, ""}} {
		o.Memory = c.memory
		r, err := Check(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Proved != (c.reason == "") || r.Reason != c.reason {
			t.Errorf("%d bytes: proved %t, %q after %d states; want %q", c.memory, r.Proved, r.Reason, r.States, c.reason)
		}
	}
}
