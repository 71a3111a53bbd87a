// WANT: unreach-call | FALSE or UNKNOWN | the only claimant gives up when its weak exchange fails without cause
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static _Atomic int owner;
static int claims;
static void *worker(void *p) {
  int none = 0;
  if (atomic_compare_exchange_weak_explicit(&owner, &none, 1, memory_order_acquire, memory_order_relaxed))
    claims = 1;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  if (claims != 1) reach_error();
  return 0;
}
