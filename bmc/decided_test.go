package bmc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"whoop/bmc"
	"whoop/pipeline"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

// stopping is a solver that ends the search after so many questions.
type stopping struct {
	bv.Solver
	left *int
	stop context.CancelFunc
}

func (s stopping) Check(as ...*bv.Term) (bool, error) {
	if *s.left--; *s.left < 0 {
		s.stop()
		return false, errors.New("interrupted")
	}
	return s.Solver.Check(as...)
}

// TestDecided: wherever a search is ended, the bound that was asked for is reported as
// soon as it is decided, and what is asked beyond it takes nothing from that.
func TestDecided(t *testing.T) {
	const src = `#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *w(void *p) { for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); y = 1; } return 0; }
int main(void) {
	pthread_t t[2];
	for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
	for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
	assert(x == 4);
	return 0;
}`
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := pipeline.Load(path, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const csb = 1
	decided, undecided := 0, 0
	for n := 1; ; n++ {
		ctx, cancel := context.WithCancel(context.Background())
		left := n
		res, err := bmc.Check(ctx, p, bmc.Harness{Roots: []bmc.Root{{Func: p.FuncByName("main"), Name: "main"}}, Main: true},
			bmc.Options{CSB: csb, Properties: map[string]bool{"assert": true}}, func() (bv.Solver, error) {
				s, err := z3.NewBits(z3.BitOptions{})
				return stopping{s, &left, cancel}, err
			})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Bugs) > 0 || (res.CSB >= csb) != (res.Reason == "") {
			t.Errorf("after %d questions: csb %d, reason %q, bugs %v", n, res.CSB, res.Reason, res.Bugs)
		}
		if res.CSB >= csb {
			decided++
		} else {
			undecided++
		}
		if left >= 0 { // it was not ended
			if res.CSB < csb {
				t.Errorf("not decided: %+v", res)
			}
			break
		}
	}
	if decided < 2 || undecided == 0 {
		t.Errorf("the bound was decided in %d of %d searches that were ended", decided-1, decided+undecided-1)
	}
}
