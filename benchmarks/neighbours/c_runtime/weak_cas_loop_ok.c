// WANT: unreach-call | TRUE | the weak exchange stands in a loop, a strong one decides at once
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static _Atomic int n;
static void add(int d) {
  int old = atomic_load(&n);
  while (!atomic_compare_exchange_weak(&n, &old, old + d))
    ;
}
static void *worker(void *p) {
  add(2);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  add(3);
  pthread_join(t, 0);
  int five = 5;
  if (!atomic_compare_exchange_strong(&n, &five, 0)) reach_error();
  return 0;
}
