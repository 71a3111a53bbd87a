package strategy_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"whoop/explore/strategy"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline"
	"whoop/trace"
)

// counted starts as many threads as an input says, and reads without their lock what they
// write when a counter says that they are done. ORDER is what a thread does.
const counted = `#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int alive, data;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;
void leave(void) { pthread_mutex_lock(&a); alive--; pthread_mutex_unlock(&a); }
void change(void) { pthread_mutex_lock(&d); data++; pthread_mutex_unlock(&d); }
void *worker(void *x) { ORDER return 0; }
int main(void)
{
	int n = __VERIFIER_nondet_int(), left;
	if (n < 0) abort();
	pthread_t *t = malloc(n * sizeof *t);
	for (int i = 0; i < n; i++) {
		pthread_mutex_lock(&a);
		alive++;
		pthread_mutex_unlock(&a);
		pthread_create(&t[i], 0, worker, 0);
	}
	do {
		pthread_mutex_lock(&a);
		left = alive;
		pthread_mutex_unlock(&a);
	} while (left);
	return data;
}
`

func parse(t *testing.T, src string) *ir.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := pipeline.Load(file, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWalkRaces: a race that happens-before shows is brought to where both threads are
// about to make their accesses, and replays; what is ordered by a counter is none.
func TestWalkRaces(t *testing.T) {
	for _, c := range []struct {
		order string
		racy  bool
	}{{"leave(); change();", true}, {"change(); leave();", false}} {
		p := parse(t, "#define ORDER "+c.order+"\n"+counted)
		found, runs, err := walked(context.Background(), p, strategy.Options{Seed: 1, Executions: 2_000, MaxEvents: 20_000, Wanted: violates})
		if err != nil || (found != nil) != c.racy {
			t.Errorf("%s: %v after %d runs: %v", c.order, found, runs, err)
		}
		if found == nil {
			continue
		}
		m, err := interp.Compile(p, interp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		h, err := found.Harness(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trace.Replay(m, h, found); err != nil || found.Bug.Kind != "race" {
			t.Errorf("%s: a %s that does not replay: %v", c.order, found.Bug.Kind, err)
		}
	}
}

// TestWalkManyThreads: a program that starts threads without end is given up before their
// clocks fill the memory.
func TestWalkManyThreads(t *testing.T) {
	p := parse(t, `#include <pthread.h>
void *f(void *x) { return 0; }
int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_detach(t); } }
`)
	found, runs, err := walked(context.Background(), p, strategy.Options{Seed: 1, Executions: 4, MaxEvents: 1_000_000, Wanted: violates})
	if found != nil || runs != 4 || err != nil {
		t.Errorf("%v after %d runs: %v", found, runs, err)
	}
}

// TestWalkRaceOnce: a race is told once, whichever of its accesses comes first.
func TestWalkRaceOnce(t *testing.T) {
	p := parse(t, `#include <pthread.h>
int x, y;
void *f(void *a) { y = x; return 0; }
void *g(void *a) { x = 1; return 0; }
int main(void)
{
	pthread_t s, t;
	pthread_create(&s, 0, f, 0);
	pthread_create(&t, 0, g, 0);
	pthread_join(s, 0);
	return pthread_join(t, 0);
}
`)
	r, err := strategy.Run(p, strategy.Options{Strategy: strategy.Walk, Seed: 1, Executions: 300, KeepGoing: true})
	if err != nil || len(r.Traces) != 1 {
		t.Errorf("%v, %d traces", err, len(r.Traces))
	}
}
