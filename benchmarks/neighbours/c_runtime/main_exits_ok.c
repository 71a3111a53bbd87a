// WANT: verify | race-free | main leaves by pthread_exit, nothing behind it is executed; the threads lock
// WANT: no-data-race | TRUE | the same
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int hits;
static void *listener(void *p) {
  pthread_mutex_lock(&m);
  hits++; // NORACE
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, listener, 0);
  pthread_create(&t, 0, listener, 0);
  pthread_exit(0);
  hits = 0; /* not reached */
}
