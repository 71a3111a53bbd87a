package benchmarks

import (
	"fmt"
	"math/rand"
)

// gateWriter makes random programs whose threads go through gates (lockset/gate.go,
// words.go): bits of a word, counters, flags under a lock. One gate in eight is broken.
type gateWriter struct{ writer }

// broken says that something is to be wrong.
func (w *gateWriter) broken() bool { return w.Intn(16) == 0 }

// other is k, or now and then another one of n.
func (w *gateWriter) other(k, n int) int {
	if w.broken() {
		return w.Intn(n)
	}
	return k
}

// inside is what a thread does that has gone through gate k.
func (w *gateWriter) inside(k int) {
	for range 1 + w.Intn(2) {
		w.line("x%d %s;", w.other(k, 6), []string{"++", "+= r", "= 1"}[w.Intn(3)])
	}
}

// maybe is a statement that is left out now and then.
func (w *gateWriter) maybe(format string, args ...any) {
	if !w.broken() {
		w.line(format, args...)
	}
}

// bit is a gate of a bit of a word.
func (w *gateWriter) bit(k int) {
	set, test, clear := 1<<k, 1<<w.other(k, 2), 1<<w.other(k, 2)
	w.block(fmt.Sprintf("if (!(__atomic_fetch_or(&bits, %d, __ATOMIC_SEQ_CST) & %d))", set, test), func() {
		w.inside(k)
		if w.broken() {
			w.line("__atomic_store_n(&bits, 0, __ATOMIC_RELEASE);")
			return
		}
		order := "RELEASE"
		if w.broken() {
			order = "RELAXED"
		}
		w.maybe("__atomic_fetch_and(&bits, ~%d, __ATOMIC_%s);", clear, order)
		if w.broken() {
			w.inside(k)
		}
	})
	if w.broken() {
		w.line("__atomic_fetch_and(&bits, ~%d, __ATOMIC_RELEASE);", clear)
	}
}

// counter is a gate of a counter: avail goes down from 1, used goes up from 0.
func (w *gateWriter) counter(k int) {
	name, away, back, first := "avail", "sub", "add", 1
	if k == 3 {
		name, away, back, first = "used", "add", "sub", 0
	}
	restore := func() { w.maybe("__atomic_fetch_%s(&%s, 1, __ATOMIC_SEQ_CST);", back, name) }
	w.block(fmt.Sprintf("if (__atomic_fetch_%s(&%s, 1, __ATOMIC_SEQ_CST) == %d)", away, name, w.other(first, 3)), func() {
		w.inside(k)
		restore()
		if w.broken() {
			restore()
		}
		if w.broken() {
			w.inside(k)
		}
	})
	if w.broken() {
		restore()
	} else {
		w.block("else", restore)
	}
}

// flag is a gate of a flag under a lock, tried once or waited for.
func (w *gateWriter) flag(k int) {
	name := fmt.Sprintf("busy%d", k)
	lock := func() { w.line("pthread_mutex_lock(&m%d);", w.other(k, 2)%2) }
	unlock := func() { w.line("pthread_mutex_unlock(&m%d);", k%2) }
	clear := func() {
		if !w.broken() {
			lock()
			defer unlock()
		}
		w.maybe("%s = 0;", name)
		w.line("pthread_cond_broadcast(&c);")
	}
	lock()
	if w.Intn(2) == 0 {
		w.line("while (%s) pthread_cond_wait(&c, &m%d);", name, k%2)
		if w.broken() {
			unlock()
			lock()
		}
		w.maybe("%s = 1;", name)
		unlock()
		w.inside(k)
		clear()
		return
	}
	w.block(fmt.Sprintf("if (%s%s)", map[bool]string{true: "1 || "}[w.broken()], "!"+name), func() {
		w.line("%s = 1;", name)
		unlock()
		w.inside(k)
		clear()
		if w.broken() {
			w.inside(k)
		}
	})
	w.block("else", func() {
		if w.broken() {
			w.line("%s = 0;", name)
		}
		unlock()
	})
}

func (w *gateWriter) gate() {
	switch k := w.Intn(6); k {
	case 0, 1:
		w.bit(k)
	case 2, 3:
		w.counter(k)
	default:
		w.flag(k)
	}
}

// gateProgram returns the text of such a program.
func gateProgram(seed int64) string {
	w := &gateWriter{writer{Rand: rand.New(rand.NewSource(seed))}}
	w.b.WriteString(`#include <pthread.h>
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static unsigned bits;
static int avail = 1, used, busy4, busy5;
static int x0, x1, x2, x3, x4, x5;
`)
	threads := 1 + w.Intn(2)
	for t := range threads {
		w.line("static void *t%d(void *arg)\n{", t)
		w.depth = 1
		w.line("int r = %d;", t)
		for range 1 + w.Intn(2) {
			w.gate()
		}
		w.line("return arg;")
		w.depth = 0
		w.line("}")
	}
	w.line("int main(void)\n{")
	w.depth = 1
	w.line("pthread_t id[4];")
	w.line("int n = 0, r = 0;")
	if w.Intn(4) == 0 {
		w.line("avail = %d;", 1+w.Intn(2))
	}
	for t := range threads {
		w.block("for (int k = 0; k < 2; k++)", func() { w.line("pthread_create(&id[n++], 0, t%d, 0);", t) })
	}
	if w.Intn(2) == 0 {
		w.gate()
	}
	w.line("return r;")
	w.depth = 0
	w.line("}")
	return w.b.String()
}
