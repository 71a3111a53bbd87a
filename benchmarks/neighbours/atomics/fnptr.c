// WANT: no-data-race | FALSE | a handler is called straight from the result of an atomic load
// WANT: verify | racy | the same
#include <pthread.h>
#include <stdatomic.h>
static int events;
static void drop(int n) { (void)n; }
static void count(int n) { events += n; } // RACE!
static _Atomic(void (*)(int)) handler = drop;
static void *source(void *p) {
  atomic_load_explicit(&handler, memory_order_acquire)(1);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, source, 0);
  atomic_store(&handler, count);
  (*atomic_load(&handler))(2);
  pthread_join(t, 0);
  return 0;
}
