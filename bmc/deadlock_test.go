package bmc_test

import (
	"fmt"
	"strings"
	"testing"

	"whoop/trace"
)

// TestDeadlockReport: who waits for what and holds what is said in words and as data, a
// holder that has ended too.
func TestDeadlockReport(t *testing.T) {
	for _, c := range []struct{ name, src, want, held string }{
		{"each holds what the other wants", two + `
struct { int n; pthread_mutex_t m; } d = { 0, PTHREAD_MUTEX_INITIALIZER };
void *f(void *a) { pthread_mutex_lock(&d.m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&d.m); return 0; }
void *g(void *a) { pthread_mutex_lock(&n); pthread_mutex_lock(&d.m); pthread_mutex_unlock(&d.m); pthread_mutex_unlock(&n); return 0; }` + spawnBoth,
			"main waits for the end of T1 f; T1 f waits for the lock n; T2 g waits for the lock d.m", "0:; 1: d.m 9; 2: n 10"},
		{"the holder has ended", two + `
void *f(void *a) { pthread_mutex_lock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); pthread_mutex_lock(&m); return 0; }`,
			"main waits for the lock m, held by T1 f, which has ended (taken at", "0:"},
	} {
		_, rep := check(t, c.src, 1, 1)
		if len(rep.Runs[0].Bugs) != 1 {
			t.Errorf("%s: %+v", c.name, rep.Runs[0])
			continue
		}
		b := &rep.Runs[0].Bugs[0]
		var held []string
		for i, w := range b.Waits {
			s := fmt.Sprint(i, ":")
			for _, h := range w.Held {
				s += fmt.Sprint(" ", h.Lock, " ", h.Pos.Line)
			}
			held = append(held, s)
		}
		tr := b.Execution.Trace
		if !strings.HasPrefix(b.Message, c.want) || strings.Join(held, "; ") != c.held || b.Place.Pos != b.Waits[0].Pos || b.Place.Thread != "main" ||
			tr.Bug.Message != b.Message || tr.Bug.At != trace.PlaceOf(b.Place.Pos) {
			t.Errorf("%s: %q, held %q, trace %+v", c.name, b.Message, held, tr.Bug)
		}
	}
}

// TestDeadlockCompletion: a completion is not called a semaphore.
func TestDeadlockCompletion(t *testing.T) {
	_, rep := check(t, `#include <linux/completion.h>
struct { struct completion c; int n; } d;
int main(void) { init_completion(&d.c); wait_for_completion(&d.c); return 0; }`, 0, 1)
	if b := rep.Runs[0].Bugs; len(b) != 1 || b[0].Message != "main waits for the completion d.c" {
		t.Errorf("%+v", rep.Runs[0])
	}
}

// TestDeadlockDriver: a lock that a driver's function returns with has a holder.
func TestDeadlockDriver(t *testing.T) {
	r := pair(t, `#include <linux/spinlock.h>
struct { spinlock_t lock; int n; } d;
void f(int k) { spin_lock(&d.lock); if (!k) spin_unlock(&d.lock); } void g(void) { spin_lock(&d.lock); spin_unlock(&d.lock); }`)
	const want = "g (T1) waits for the lock d.lock, held by f (T0), which has ended"
	if b := r.Runs[0].Bugs; len(b) != 1 || !strings.HasPrefix(b[0].Message, want) {
		t.Errorf("want %q: %+v", want, r.Runs[0])
	}
}

// TestMisusedLock: a lock that is a member is named by it.
func TestMisusedLock(t *testing.T) {
	_, rep := check(t, `struct { pthread_mutex_t a, b; } d = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
int main(void) { pthread_mutex_lock(&d.b); pthread_mutex_unlock(&d.a); return 0; }`, 0, 1)
	if b := rep.Runs[0].Bugs; len(b) != 1 || b[0].Message != "the thread does not hold global d.a" {
		t.Errorf("%+v", b)
	}
}
