package walk

import (
	"context"
	"reflect"
	"testing"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
)

// crowd starts a thousand threads of two kinds before any of them must have run; of those that change a number and change it back under a lock of their own, one that looks
// at it under another lock sees what is in between.
const crowd = `#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int n;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *change(void *x) { pthread_mutex_lock(&a); n++; n--; pthread_mutex_unlock(&a); return 0; }
void *look(void *x) { pthread_mutex_lock(&LOCK); if (__VERIFIER_nondet_int() && n != 0) reach_error(); pthread_mutex_unlock(&LOCK); return 0; }
int main(void)
{
	pthread_t t[1000];
	for (int i = 0; i < 500; i++)
		pthread_create(&t[i], 0, change, 0);
	for (int i = 500; i < 1000; i++)
		pthread_create(&t[i], 0, look, 0);
	for (int i = 0; i < 1000; i++)
		pthread_join(t[i], 0);
	return 0;
}
`

func load(t *testing.T, lock string) *ir.Program {
	t.Helper()
	return parse(t, "#define LOCK "+lock+"\n"+crowd)
}

func violates(e *interp.Error) bool { return e.Kind == interp.ErrAssert && e.Tag == "reach_error" }

// TestSearch: what is found replays, and is the same with the same seed; what cannot happen is not found.
func TestSearch(t *testing.T) {
	p := load(t, "b")
	o := Options{Seed: 7, Runs: 2_000, Steps: 100_000, Wanted: violates}
	found, runs, err := Search(context.Background(), p, o)
	if err != nil || found == nil {
		t.Fatalf("nothing in %d runs: %v", runs, err)
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := found.Harness(p)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Replay(m, h, found); err != nil {
		t.Errorf("the trace does not replay: %v", err)
	}
	same, n, err := Search(context.Background(), p, o)
	if err != nil || n != runs || !reflect.DeepEqual(same, found) {
		t.Errorf("another execution with the same seed, in run %d and not %d: %v", n, runs, err)
	}
	o.Runs = 60
	if found, runs, err := Search(context.Background(), load(t, "a"), o); found != nil || runs != 60 || err != nil {
		t.Errorf("with one lock, in run %d: %v, %v", runs, found, err)
	}
}

// TestEnds: a search ends with its context, and one without a main function does not begin.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if found, runs, err := Search(ctx, load(t, "a"), Options{Steps: 1_000, Wanted: violates}); found != nil || runs != 0 || err != nil {
		t.Errorf("%v, %d, %v", found, runs, err)
	}
	if _, _, err := Search(context.Background(), &ir.Program{}, Options{}); err == nil {
		t.Error("a program without main was run")
	}
}

// TestEndlessSection: an atomic section that does not end is no step that does not end.
func TestEndlessSection(t *testing.T) {
	p, err := ir.Parse("endless.wir", []byte(`
global x: i32
func main() i32 {
  reg h: u64
  reg r: i32
entry:
  h, _ := spawn w()
  r := load plain &x
  return r
}
func w() void {
  reg r: i32
entry:
  atomic_begin
  goto loop
loop:
  r := load plain &x
  if eq(r, i32 0) then loop else out
out:
  atomic_end
  return
}
entry main kind "main"
entry w kind "thread" spawned
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, races := range []bool{false, true} {
		if found, runs, err := Search(context.Background(), p, Options{Runs: 3, Steps: 4, Wanted: violates, Races: races}); found != nil || runs != 3 || err != nil {
			t.Errorf("races %v: %v, %d runs, %v", races, found, runs, err)
		}
	}
}
