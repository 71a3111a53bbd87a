// WANT: bmc:race | no bug | the lock is in the header, the guarded cells in the trail
#include <pthread.h>
#include <stdlib.h>
struct hist { pthread_mutex_t lock; int n; int cell[]; };
static void *count(void *p) {
  struct hist *h = p;
  pthread_mutex_lock(&h->lock);
  h->cell[h->n - 1]++; // NORACE
  pthread_mutex_unlock(&h->lock);
  return 0;
}
int main(void) {
  int n = 2;
  pthread_t t;
  struct hist *h = calloc(1, sizeof *h + n * sizeof(int));
  if (!h) return 0;
  pthread_mutex_init(&h->lock, 0);
  h->n = n;
  if (pthread_create(&t, 0, count, h)) return 0;
  count(h);
  pthread_join(t, 0);
  free(h);
  return 0;
}
