package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const orderProgram = `#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
FUNCTIONS
void *first(void *x) { FIRST return 0; }
void *second(void *x) { SECOND return 0; }
int main(void)
{
	pthread_t s, t;

	pthread_create(&s, 0, first, 0);
	pthread_create(&t, 0, second, 0);
	pthread_join(s, 0);
	pthread_join(t, 0);
	return 0;
}
`

// TestLockOrders: locks that are taken in two orders are candidates for deadlocks,
// through calls as well; what a function takes and gives back, or gives back for its
// caller, is not held after it, whoever else calls it holding what.
func TestLockOrders(t *testing.T) {
	const ab, ba = "LOCK(a) LOCK(b) UNLOCK(b) UNLOCK(a)", "LOCK(b) LOCK(a) UNLOCK(a) UNLOCK(b)"
	for _, c := range []struct {
		name, functions, first, second string
		orders                         string // pairs of locks
	}{
		{name: "both orders", first: ab, second: ba, orders: "a b"},
		{name: "one order", first: ab, second: ab},
		{name: "one after the other", first: ab, second: "LOCK(b) UNLOCK(b) LOCK(a) UNLOCK(a)"},
		{name: "in a callee", functions: "void f(void) { LOCK(a) UNLOCK(a) }", first: ab, second: "LOCK(b) f(); UNLOCK(b)", orders: "a b"},
		{name: "taken by a callee", functions: "void f(void) { LOCK(b) }", first: ab, second: "f(); LOCK(a) UNLOCK(a) UNLOCK(b)", orders: "a b"},
		{name: "two callers, one of which holds a lock", functions: "void f(void) { LOCK(a) UNLOCK(a) }", first: ab, second: "f(); LOCK(b) UNLOCK(b)"},
		{name: "a callee that the other calls with its lock", functions: "void f(void) { }\nvoid g(void) { f(); LOCK(a) UNLOCK(a) }", first: "LOCK(a) f(); LOCK(b) UNLOCK(b) UNLOCK(a)", second: "LOCK(b) f(); UNLOCK(b) g();"},
		{name: "given back by a callee", functions: "void f(void) { UNLOCK(b) }", first: ab, second: "LOCK(b) f(); LOCK(a) UNLOCK(a)"},
		{name: "given back by a callee on one way", functions: "void f(int x) { if (x) UNLOCK(b) }", first: ab, second: "LOCK(b) f(x != 0); LOCK(a) UNLOCK(a)", orders: "a b"},
		{name: "in a loop of functions", functions: "void g(int n);\nvoid f(int n) { LOCK(b) UNLOCK(b) if (n) g(n - 1); }\nvoid g(int n) { LOCK(a) f(n); UNLOCK(a) }", first: "g(2);", second: ba, orders: "a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := strings.NewReplacer("LOCK(a)", "pthread_mutex_lock(&a);", "UNLOCK(a)", "pthread_mutex_unlock(&a);", "LOCK(b)", "pthread_mutex_lock(&b);", "UNLOCK(b)", "pthread_mutex_unlock(&b);")
			text := strings.NewReplacer("FUNCTIONS", c.functions, "FIRST", c.first, "SECOND", c.second).Replace(orderProgram)
			path := filepath.Join(t.TempDir(), "order.c")
			if err := os.WriteFile(path, []byte(r.Replace(text)), 0o600); err != nil {
				t.Fatal(err)
			}
			rep, err := Verify(context.Background(), path, Options{Jobs: 1})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range rep.Orders {
				two := []string{o.First.Held, o.First.Wanted}
				slices.Sort(two)
				got = append(got, strings.Join(two, " "))
			}
			slices.Sort(got)
			if s := strings.Join(got, ", "); s != c.orders {
				t.Errorf("%q, not %q", s, c.orders)
			}
		})
	}
}

// TestOnceOrders: a Once excludes others while its function runs, and not later.
func TestOnceOrders(t *testing.T) {
	for _, c := range []struct {
		name, first, second string
		orders              int
	}{
		{name: "one after the other", first: "a.Do(f); b.Do(f); a.Do(f)", second: "b.Do(f); a.Do(f)"},
		{name: "inside", first: "a.Do(func() { b.Do(f) })", second: "b.Do(func() { a.Do(f) })", orders: 1},
		{name: "a lock inside, and later", first: "a.Do(func() { m.Lock(); m.Unlock() })", second: "a.Do(f); m.Lock(); m.Unlock()"},
		{name: "a lock inside, and around", first: "a.Do(func() { m.Lock(); m.Unlock() })", second: "m.Lock(); a.Do(f); m.Unlock()", orders: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "package main\n\nimport \"sync\"\n\nvar a, b sync.Once\nvar m sync.Mutex\n\nfunc f() {}\n\nfunc main() {\n\tgo func() { " +
				c.first + " }()\n\t" + c.second + "\n}\n"
			path := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			rep, err := Verify(context.Background(), path, Options{Jobs: 1})
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Orders) != c.orders {
				t.Errorf("%d orders, want %d: %v", len(rep.Orders), c.orders, rep.Orders)
			}
		})
	}
}

// TestUnwoundOrders: locks that are still held where something panics are no candidates.
func TestUnwoundOrders(t *testing.T) {
	for _, c := range []struct {
		name, body string
		orders     int
	}{
		{name: "a panic goes up", body: "a.Lock(); f(); a.Unlock()"},
		{name: "nothing unlocks", body: "a.Lock(); f()", orders: 1},
		{name: "deferred after the call", body: "a.Lock(); f(); defer a.Unlock()"},
		{name: "taken inside", body: "a.Lock(); f(); b.Lock(); b.Unlock(); a.Unlock()", orders: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "package main\n\nimport \"sync\"\n\nvar a, b sync.Mutex\nvar n int\n\nfunc run(f func()) {\n\t" + c.body + "\n}\n\n" +
				"func top(f func()) {\n\tdefer func() { recover() }()\n\trun(f)\n}\n\n" +
				"func main() {\n\tgo func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() }()\n" +
				"\ttop(func() { if n == 7 { panic(1) } })\n\tb.Lock()\n\tb.Unlock()\n}\n"
			path := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			rep, err := Verify(context.Background(), path, Options{Jobs: 1})
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Orders) != c.orders {
				t.Errorf("%d orders, want %d: %v", len(rep.Orders), c.orders, rep.Orders)
			}
		})
	}
}
