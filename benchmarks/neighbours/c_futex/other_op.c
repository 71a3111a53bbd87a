// A lock with priority inheritance, made by the kernel: another operation, which is not
// followed.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
static int word;
static int total;
static void *worker(void *p) {
  syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, 0, 0, 0);
  total++;
  syscall(SYS_futex, &word, FUTEX_UNLOCK_PI, 0, 0, 0, 0);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
