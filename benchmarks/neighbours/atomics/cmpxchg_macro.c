// WANT: no-data-race | FALSE | a statement expression with typeof of an atomic result, as in kernel-like headers
// WANT: verify | racy | the same
#include <pthread.h>
#include <stddef.h>
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
#define xchg(p, v) ({ __typeof__(__atomic_load_n(p, __ATOMIC_RELAXED)) __old = __atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST); __old; })
struct link { struct link *next; };
struct work { int prio; struct link link; };
static struct link *queue;
static void *runner(void *p) {
  __auto_type l = xchg(&queue, NULL);
  if (l) container_of(l, struct work, link)->prio = 0; // RACE!
  return p;
}
int main(void) {
  static struct work w = {5, {0}};
  pthread_t t;
  xchg(&queue, &w.link);
  pthread_create(&t, 0, runner, 0);
  w.prio++; // RACE!
  pthread_join(t, 0);
  return 0;
}
