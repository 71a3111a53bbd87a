// WANT: verify | racy | the destructor of thread-specific data adds to a global at each thread's end
// WANT: no-data-race | FALSE | the same
#include <pthread.h>
#include <stdlib.h>
static pthread_key_t key;
static long total;
static void flush(void *p) {
  total += *(long *)p; // RACE!
  free(p);
}
static void *worker(void *p) {
  long *n = calloc(1, sizeof *n);
  if (!n) return 0;
  pthread_setspecific(key, n);
  for (int i = 0; i < 10; i++)
    ++*(long *)pthread_getspecific(key); // NORACE
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_key_create(&key, flush);
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return total > 20; // NORACE
}
