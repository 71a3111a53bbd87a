// WANT: no-data-race | FALSE | the case label lies above 32 bits: the switch is over a long
// WANT: verify | racy | the same
#include <pthread.h>
#include <stdatomic.h>
#define EV_OPEN (1L << 33)
#define EV_CLOSE (1L << 34)
static atomic_long event = EV_CLOSE;
static int fd = 3;
static void *loop(void *p) {
  switch (atomic_exchange_explicit(&event, 0, memory_order_acq_rel)) {
  case 0:
    break;
  case EV_CLOSE:
    fd = -1; // RACE!
    break;
  case EV_OPEN:
    break;
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, loop, 0);
  int f = fd; // RACE!
  pthread_join(t, 0);
  return f > 3;
}
