// The same, but unlock stores before it has looked: it wakes nobody where it must.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int word;
static long total;
static long futex(atomic_int *a, int op, int v) {
  return syscall(SYS_futex, a, op, v, 0, 0, 0);
}
static int cas(int from, int to) {
  atomic_compare_exchange_strong(&word, &from, to);
  return from;
}
static void lock(void) {
  int c = cas(0, 1);
  if (c == 0)
    return;
  do {
    if (c == 2 || cas(1, 2) != 0)
      futex(&word, FUTEX_WAIT_PRIVATE, 2);
  } while ((c = cas(0, 2)) != 0);
}
static void unlock(void) {
  atomic_store(&word, 0);
  if (atomic_load(&word) == 2)
    futex(&word, FUTEX_WAKE_PRIVATE, 1);
}
static void *worker(void *p) {
  lock();
  total++;
  unlock();
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return total != 2;
}
