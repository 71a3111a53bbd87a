// Each thread makes its own text, and hands it over under a lock.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *last;
static void *worker(void *p) {
  char *s = 0, *old;
  if (asprintf(&s, "worker %ld", (long)p) < 0)
    return 0;
  pthread_mutex_lock(&m);
  old = last;
  last = s;
  pthread_mutex_unlock(&m);
  free(old);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)1);
  pthread_create(&b, 0, worker, (void *)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(last);
  return 0;
}
