package benchmarks

import (
	"fmt"
	"math/rand"
)

// tallyWriter makes random programs whose main function waits until a counter says that
// its threads are done (lockset/tally.go). One statement in sixteen is broken.
type tallyWriter struct {
	gateWriter
	// atomic counters, or one under a lock; up from 0, down from n, or down with an
	// addition before each start.
	atomic bool
	kind   int
	n      int
}

// step adds k to the counter.
func (w *tallyWriter) step(k int) {
	if w.atomic {
		w.maybe("__atomic_fetch_add(&left, %d, __ATOMIC_SEQ_CST);", k)
		return
	}
	if w.broken() {
		w.line("left += %d;", k)
		return
	}
	w.line("pthread_mutex_lock(&m0);")
	w.maybe("left += %d;", k)
	w.line("pthread_cond_broadcast(&c);")
	w.line("pthread_mutex_unlock(&m0);")
}

// direction is what a thread adds.
func (w *tallyWriter) direction() int {
	if w.kind == 0 {
		return 1
	}
	return -1
}

func (w *tallyWriter) worker(t int) {
	w.line("static void *t%d(void *arg)\n{", t)
	w.depth = 1
	w.line("int r = (long)arg;")
	w.line("data[r] = 1;")
	if w.broken() {
		w.block("if (r > 1)", func() { w.step(w.direction()) })
	}
	w.step(w.direction())
	if w.broken() {
		w.line("data[r] = 2;")
	}
	w.line("return arg;")
	w.depth = 0
	w.line("}")
}

// set stores a value, under the lock or not.
func (w *tallyWriter) set(v int) {
	if w.atomic {
		w.line("__atomic_store_n(&left, %d, __ATOMIC_SEQ_CST);", v)
		return
	}
	w.line("pthread_mutex_lock(&m0);")
	w.line("left = %d;", v)
	w.line("pthread_mutex_unlock(&m0);")
}

// wait waits until the counter is at its end.
func (w *tallyWriter) wait() {
	end, op := 0, []string{"!=", ">"}[w.Intn(2)]
	if w.kind == 0 {
		end, op = w.n, []string{"!=", "<"}[w.Intn(2)]
	}
	if w.broken() {
		end += 1 - 2*w.Intn(2)
	}
	if w.atomic {
		w.line("while (__atomic_load_n(&left, __ATOMIC_SEQ_CST) %s %d);", op, end)
		return
	}
	w.line("pthread_mutex_lock(&m0);")
	w.line("%s (left %s %d) pthread_cond_wait(&c, &m0);", []string{"while", "if"}[w.Intn(16)/15], op, end)
	w.line("pthread_mutex_unlock(&m0);")
}

// tallyProgram returns the text of such a program.
func tallyProgram(seed int64) string {
	r := rand.New(rand.NewSource(seed))
	w := &tallyWriter{gateWriter: gateWriter{writer{Rand: r}}, atomic: r.Intn(2) == 0, kind: r.Intn(3), n: 2 + r.Intn(2)}
	fmt.Fprintf(&w.b, `#include <pthread.h>
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int left, data[4];
`)
	threads := 1 + w.Intn(2)
	for t := range threads {
		w.worker(t)
	}
	w.line("int main(void)\n{")
	w.depth = 1
	w.line("pthread_t id;")
	w.line("int r = 0;")
	for range 1 + w.Intn(2) {
		switch {
		case w.kind == 1:
			w.set(w.n + w.Intn(16)/15)
		case w.kind == 0 && !w.broken():
			w.set(0)
		}
		w.block(fmt.Sprintf("for (long k = 0; k < %d; k++)", w.other(w.n, 4)), func() {
			if w.kind == 2 {
				w.step(1)
			}
			w.line("pthread_create(&id, 0, t%d, (void *)k);", w.Intn(threads))
			if w.broken() {
				w.line("pthread_create(&id, 0, t%d, (void *)(k + 1));", w.Intn(threads))
			}
			if w.broken() {
				w.step(w.direction())
			}
		})
		w.wait()
		w.block(fmt.Sprintf("for (int k = 0; k < %d; k++)", w.n), func() { w.line("r += data[k]; data[k] = 0;") })
	}
	w.line("return r;")
	w.depth = 0
	w.line("}")
	return w.b.String()
}
