// WANT: verify | racy | the watchdog thread releases the lock that the worker holds when it takes too long
// WANT: no-data-race | FALSE | the same
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
static long progress;
static void *watchdog(void *p) {
  usleep(1000);
  pthread_mutex_unlock(&busy);
  return p;
}
static void *second(void *p) {
  pthread_mutex_lock(&busy);
  progress = -1; // RACE!
  pthread_mutex_unlock(&busy);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_mutex_lock(&busy);
  pthread_create(&a, 0, watchdog, 0);
  pthread_create(&b, 0, second, 0);
  for (int i = 0; i < 100; i++) {
    progress++; // RACE!
    usleep(100);
  }
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
