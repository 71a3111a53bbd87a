// The configuration is replaced under the lock for writers.
#include <pthread.h>
#include <stdlib.h>
struct config { int timeout, retries; };
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static struct config *current;
static int timeout_of(void) {
  pthread_rwlock_rdlock(&l);
  int t = current ? current->timeout : 1;
  pthread_rwlock_unlock(&l);
  return t;
}
static void replace(int t) {
  struct config *c = malloc(sizeof *c), *old;
  if (!c)
    return;
  c->timeout = t;
  c->retries = 3;
  pthread_rwlock_wrlock(&l);
  old = current;
  current = c;
  pthread_rwlock_unlock(&l);
  free(old);
}
static void *worker(void *p) {
  timeout_of();
  return p;
}
int main(void) {
  pthread_t a, b;
  replace(5);
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  replace(7);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(current);
  return 0;
}
