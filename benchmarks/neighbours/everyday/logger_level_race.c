// The level of the log is changed while others look at it.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
static int level = 1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void logf_(int l, const char *fmt, ...) {
  va_list ap;
  if (l > level) // RACE!
    return;
  va_start(ap, fmt);
  pthread_mutex_lock(&m);
  vfprintf(stderr, fmt, ap);
  pthread_mutex_unlock(&m);
  va_end(ap);
}
static void *worker(void *p) {
  logf_(2, "worker %d\n", 1);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  level = 2; // RACE!
  logf_(1, "main\n");
  pthread_join(t, 0);
  return 0;
}
