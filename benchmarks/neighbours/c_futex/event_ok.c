// An event: the flag is set, then all who wait are woken.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>
static _Atomic unsigned set;
static int data;
static void wait_event(void) {
  while (!atomic_load(&set))
    syscall(SYS_futex, &set, FUTEX_WAIT, 0, 0, 0, 0);
}
static void set_event(void) {
  atomic_store(&set, 1);
  syscall(SYS_futex, &set, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}
static void *reader(void *p) {
  wait_event();
  return data ? p : 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  data = 1;
  set_event();
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
