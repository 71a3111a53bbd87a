package strategy_test

import (
	"context"
	"reflect"
	"testing"

	"whoop/explore/strategy"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
)

// crowd starts a thousand threads of two kinds before any of them must have run; of those
// that change a number and change it back under a lock of their own, one that looks at it
// under another lock sees what is in between.
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

// walked walks through a program: the first trace, and how many executions there were.
func walked(ctx context.Context, p *ir.Program, o strategy.Options) (*trace.Trace, int64, error) {
	o.Strategy, o.Context = strategy.Walk, ctx
	r, err := strategy.Run(p, o)
	if err != nil {
		return nil, 0, err
	}
	if len(r.Traces) == 0 {
		return nil, r.Executions, nil
	}
	return r.Traces[0], r.Executions, nil
}

func violates(e *interp.Error) bool { return e.Kind == interp.ErrAssert && e.Tag == "reach_error" }

// TestWalk: what is found replays, and is the same with the same seed; what cannot happen
// is not found.
func TestWalk(t *testing.T) {
	p := load(t, "b")
	o := strategy.Options{Seed: 7, Executions: 2_000, MaxEvents: 100_000, Wanted: violates, NoRaces: true}
	found, runs, err := walked(context.Background(), p, o)
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
	same, n, err := walked(context.Background(), p, o)
	if err != nil || n != runs || !reflect.DeepEqual(same, found) {
		t.Errorf("another execution with the same seed, in run %d and not %d: %v", n, runs, err)
	}
	o.Executions = 60
	if found, runs, err := walked(context.Background(), load(t, "a"), o); found != nil || runs != 60 || err != nil {
		t.Errorf("with one lock, in run %d: %v, %v", runs, found, err)
	}
}

// TestWalkEnds: a search ends with its context, and one without a main function does not
// begin.
func TestWalkEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if found, runs, err := walked(ctx, load(t, "a"), strategy.Options{MaxEvents: 1_000, Wanted: violates, NoRaces: true}); found != nil || runs != 0 || err != nil {
		t.Errorf("%v, %d, %v", found, runs, err)
	}
	if _, _, err := walked(context.Background(), &ir.Program{}, strategy.Options{}); err == nil {
		t.Error("a program without main was run")
	}
}

// TestWalkEndlessSection: an atomic section that does not end is no step that does not
// end.
func TestWalkEndlessSection(t *testing.T) {
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
		if found, runs, err := walked(context.Background(), p, strategy.Options{Executions: 3, MaxEvents: 4, Wanted: violates, NoRaces: !races}); found != nil || runs != 3 || err != nil {
			t.Errorf("races %v: %v, %d runs, %v", races, found, runs, err)
		}
	}
}

// TestWalkDeadlock: a deadlock is told where errors of all kinds are looked for.
func TestWalkDeadlock(t *testing.T) {
	p := parse(t, `#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_join(t, 0);
	return 0;
}
`)
	found, runs, err := walked(context.Background(), p, strategy.Options{Executions: 1000})
	if err != nil || found == nil || found.Bug.Kind != "deadlock" {
		t.Errorf("%v in %d runs: %v", found, runs, err)
	}
}
