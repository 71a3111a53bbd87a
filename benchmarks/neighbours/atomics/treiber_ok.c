// WANT: no-data-race | TRUE | the body is written before the node is pushed; the list is walked with the exchange's result
// WANT: verify | race-free | the same
#include <pthread.h>
#include <stdatomic.h>
struct msg { struct msg *next; int body; };
static _Atomic(struct msg *) inbox;
static int total;
static void *producer(void *p) {
  struct msg *m = p;
  m->body = 7; // NORACE
  atomic_store_explicit(&inbox, m, memory_order_release);
  return 0;
}
int main(void) {
  static struct msg one;
  pthread_t t;
  pthread_create(&t, 0, producer, &one);
  __auto_type all = atomic_exchange(&inbox, (struct msg *)0);
  if (all)
    total += all->body; // NORACE
  pthread_join(t, 0);
  return 0;
}
