// WANT: no-data-race | FALSE | __auto_type over the list taken off by an exchange; the pusher goes on to write its node
// WANT: verify | racy | the same
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct msg { struct msg *next; int body; };
static _Atomic(struct msg *) inbox;
static int total;
static void push(struct msg *m) {
  m->next = atomic_load(&inbox);
  while (!atomic_compare_exchange_weak(&inbox, &m->next, m))
    ;
}
static void *producer(void *p) {
  struct msg *m = p;
  push(m);
  m->body = 7; // RACE!
  return 0;
}
int main(void) {
  static struct msg one;
  pthread_t t;
  pthread_create(&t, 0, producer, &one);
  __auto_type all = atomic_exchange(&inbox, (struct msg *)0);
  for (; all; all = all->next)
    total += all->body; // RACE!
  pthread_join(t, 0);
  return 0;
}
