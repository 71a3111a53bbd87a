// WANT: verify | not race-free | the pool destroys and frees its mutex while a worker may still come to it (detached, not joined)
// WANT: no-data-race | FALSE or UNKNOWN | the same
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
struct pool {
  pthread_mutex_t lock;
  int done;
};
static void *worker(void *p) {
  struct pool *pl = p;
  usleep(500);
  pthread_mutex_lock(&pl->lock); // RACE!
  pl->done++;
  pthread_mutex_unlock(&pl->lock);
  return 0;
}
int main(void) {
  struct pool *pl = calloc(1, sizeof *pl);
  pthread_t t;
  pthread_mutex_init(&pl->lock, 0);
  pthread_create(&t, 0, worker, pl);
  pthread_detach(t);
  pthread_mutex_lock(&pl->lock);
  pl->done++;
  pthread_mutex_unlock(&pl->lock);
  usleep(500);
  pthread_mutex_destroy(&pl->lock); // RACE!
  free(pl);
  usleep(2000);
  return 0;
}
