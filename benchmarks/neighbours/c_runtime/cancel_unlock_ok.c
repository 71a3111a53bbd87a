// WANT: verify | race-free | the cleanup handler releases the mutex that the cancelled thread held in pthread_cond_wait
// WANT: no-data-race | TRUE | the same
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int jobs, stopped;
static void release(void *p) {
  stopped++; // NORACE
  pthread_mutex_unlock(p);
}
static void *worker(void *p) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(release, &m);
  while (jobs == 0) // NORACE
    pthread_cond_wait(&c, &m);
  jobs--; // NORACE
  pthread_cleanup_pop(1);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_cancel(t);
  pthread_mutex_lock(&m);
  jobs++; // NORACE
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return stopped; // NORACE
}
