// WANT: verify | race-free | the same with a join before the mutex goes
// WANT: no-data-race | TRUE | the same
#include <pthread.h>
#include <stdlib.h>
struct pool {
  pthread_mutex_t lock;
  int done;
};
static void *worker(void *p) {
  struct pool *pl = p;
  pthread_mutex_lock(&pl->lock);
  pl->done++; // NORACE
  pthread_mutex_unlock(&pl->lock);
  return 0;
}
int main(void) {
  struct pool *pl = malloc(sizeof *pl);
  pthread_t t;
  if (!pl) return 1;
  pl->done = 0;
  pthread_mutex_init(&pl->lock, 0);
  if (pthread_create(&t, 0, worker, pl)) return 1;
  pthread_mutex_lock(&pl->lock);
  pl->done++; // NORACE
  pthread_mutex_unlock(&pl->lock);
  pthread_join(t, 0);
  pthread_mutex_destroy(&pl->lock);
  free(pl);
  return 0;
}
