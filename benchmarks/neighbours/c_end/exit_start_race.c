// main ends as a thread. The process ends with its last thread, and the handler runs
// then: it starts two threads that race with each other.
#include <pthread.h>
#include <stdlib.h>
static long total;
static void *late(void *p) {
  total += (long)p; // RACE!
  return 0;
}
static void bye(void) {
  pthread_t a, b;
  pthread_create(&a, 0, late, (void *)1);
  pthread_create(&b, 0, late, (void *)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
static void *worker(void *p) {
  (void)p;
  return 0;
}
int main(void) {
  pthread_t t;
  atexit(bye);
  pthread_create(&t, 0, worker, 0);
  pthread_exit(0);
}
