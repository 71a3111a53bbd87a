// main ends as a thread. The handler runs when all threads have ended, detached ones too.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static long total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void bye(void) { printf("%ld\n", total); }
static void *worker(void *p) {
  pthread_mutex_lock(&m);
  total += (long)p;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  atexit(bye);
  for (long i = 0; i < 2; i++) {
    pthread_create(&t, 0, worker, (void *)i);
    pthread_detach(t);
  }
  pthread_exit(0);
}
