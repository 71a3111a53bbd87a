// Who did not get the lock in time goes on without it.
#include <threads.h>
#include <time.h>
static mtx_t m;
static int shared;
static int worker(void *p) {
  struct timespec t;
  (void)p;
  timespec_get(&t, TIME_UTC);
  t.tv_sec++;
  int got = mtx_timedlock(&m, &t);
  shared++; // RACE!
  if (got == thrd_success)
    mtx_unlock(&m);
  return 0;
}
int main(void) {
  thrd_t a, b;
  mtx_init(&m, mtx_timed);
  thrd_create(&a, worker, 0);
  thrd_create(&b, worker, 0);
  thrd_join(a, 0);
  thrd_join(b, 0);
  mtx_destroy(&m);
  return 0;
}
