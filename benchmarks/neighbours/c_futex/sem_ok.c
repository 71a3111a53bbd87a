// A semaphore: the count is taken down where it is above zero, else the thread waits.
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>
static atomic_int count;
static int box;
static int futex(atomic_int *a, int op, int v) {
  return (int)syscall(SYS_futex, a, op | FUTEX_PRIVATE_FLAG, v, (void *)0);
}
static void down(void) {
  for (;;) {
    int c = atomic_load(&count);
    if (c > 0 && atomic_compare_exchange_weak(&count, &c, c - 1))
      return;
    if (c <= 0)
      futex(&count, FUTEX_WAIT, c);
  }
}
static void up(void) {
  atomic_fetch_add(&count, 1);
  futex(&count, FUTEX_WAKE, 1);
}
static int producer(void *p) {
  (void)p;
  box = 3;
  up();
  return 0;
}
int main(void) {
  thrd_t t;
  thrd_create(&t, producer, 0);
  down();
  int got = box;
  thrd_join(t, 0);
  return got != 3;
}
