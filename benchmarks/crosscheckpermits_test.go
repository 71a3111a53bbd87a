package benchmarks

import (
	"fmt"
	"math/rand"
)

// permitProgram returns the text of a random program whose threads take permits of a
// semaphore, to read one and to write all of them (lockset/permits.go). One statement in
// sixteen is broken.
func permitProgram(seed int64) string {
	r := rand.New(rand.NewSource(seed))
	w := &gateWriter{writer{Rand: r}}
	n := 2 + r.Intn(2)
	w.b.WriteString(`#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
static int x0, x1, x2, x3, x4, x5;
`)
	take := func(op string, times int) {
		if w.Intn(2) == 0 {
			w.block(fmt.Sprintf("for (int i = 0; i < %d; i++)", w.other(times, n+2)), func() { w.maybe("sem_%s(&s);", op) })
			return
		}
		for range times {
			w.maybe("sem_%s(&s);", op)
		}
	}
	for t := range 2 {
		w.line("static void *t%d(void *arg)\n{", t)
		w.depth = 1
		w.line("int r = 0;")
		for range 1 + w.Intn(2) {
			switch w.Intn(4) {
			case 0:
				take("wait", 1)
				w.line("r += x%d;", w.Intn(2))
				take("post", 1)
			case 1:
				w.block("if (!sem_trywait(&s))", func() {
					w.line("r += x%d;", w.Intn(2))
					w.maybe("sem_post(&s);")
				})
			default:
				w.maybe("pthread_mutex_lock(&m0);")
				take("wait", n)
				w.line("x%d++;", w.Intn(2))
				take("post", n)
				w.line("pthread_mutex_unlock(&m0);")
			}
		}
		w.line("return arg + r;")
		w.depth = 0
		w.line("}")
	}
	w.line("int main(void)\n{")
	w.depth = 1
	w.line("pthread_t id;")
	w.line("sem_init(&s, 0, %d);", w.other(n, n+2))
	for t := range 2 {
		w.line("pthread_create(&id, 0, t%d, 0);", t)
	}
	w.maybe("pthread_create(&id, 0, t1, 0);")
	if w.broken() {
		w.line("sem_init(&s, 0, %d);", n)
	}
	w.line("return 0;")
	w.depth = 0
	w.line("}")
	return w.b.String()
}
