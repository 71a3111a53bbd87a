// A thread that is cancelled runs its destructors, too: this one counts without the lock.
#include <pthread.h>
#include <unistd.h>
static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long ended;
static void count(void *p) {
  ended += *(long *)p; // RACE!
}
static long one = 1;
static void *worker(void *p) {
  pthread_setspecific(key, &one);
  for (;;)
    pause();
  return p;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&key, count);
  pthread_create(&t, 0, worker, 0);
  pthread_cancel(t);
  pthread_mutex_lock(&m);
  long n = ended; // RACE!
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return n != 0;
}
