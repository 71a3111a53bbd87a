// An object is made under a lock, and found by an atomic pointer.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct conf { int port; };
static _Atomic(struct conf *) conf;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct conf *get(void) {
  struct conf *c = atomic_load_explicit(&conf, memory_order_acquire);
  if (!c) {
    pthread_mutex_lock(&m);
    c = atomic_load_explicit(&conf, memory_order_relaxed);
    if (!c) {
      c = malloc(sizeof *c);
      if (!c)
        exit(1);
      c->port = 80;
      atomic_store_explicit(&conf, c, memory_order_release);
    }
    pthread_mutex_unlock(&m);
  }
  return c;
}
static void *worker(void *p) { return get()->port == 80 ? p : 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
