// A helper ends whatever thread calls it, main too; the handler runs
// at the very end, once.
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void bye(void) {
  if (count != 2)
    reach_error();
}
static void leave(void) {
  pthread_mutex_lock(&m);
  count++;
  pthread_mutex_unlock(&m);
  pthread_exit(0);
}
static void *worker(void *p) {
  leave();
  return p;
}
int main(void) {
  pthread_t t;
  atexit(bye);
  pthread_create(&t, 0, worker, 0);
  leave();
  return 1;
}
