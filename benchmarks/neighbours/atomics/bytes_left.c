// WANT: unreach-call | FALSE | the counter is 64 bits wide in both arms of ?:, 5 GB do not fit an int
#include <stdatomic.h>
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static _Atomic unsigned long left = 5368709120ul;
static _Atomic int done;
static void *copier(void *p) { atomic_fetch_sub(&left, 4096ul); return p; }
static unsigned long remaining(void) { return atomic_load(&done) ? 0 : atomic_load_explicit(&left, memory_order_relaxed); }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, copier, 0);
  pthread_join(t, 0);
  if (remaining() > 4294967296ul) reach_error();
  return 0;
}
