// WANT: unreach-call | TRUE | long arithmetic on results: product, shift, sum over threads
#include <stdatomic.h>
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static _Atomic long ms = 3000000;
static void *tick(void *p) { atomic_fetch_add(&ms, 1000000); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, tick, 0);
  pthread_join(t, 0);
  if (atomic_load(&ms) * 1000 != 4000000000l) reach_error();
  if (atomic_fetch_add(&ms, 1l << 45) << 1 != 8000000) reach_error();
  if (atomic_load(&ms) >> 45 != 1) reach_error();
  return 0;
}
