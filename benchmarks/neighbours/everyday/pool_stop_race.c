// The pool looks at its stop flag before it takes the lock.
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stop, work;
static void *worker(void *p) {
  while (!stop) { // RACE!
    pthread_mutex_lock(&m);
    if (work > 0)
      work--;
    pthread_mutex_unlock(&m);
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  work = 3;
  stop = 1; // RACE!
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
