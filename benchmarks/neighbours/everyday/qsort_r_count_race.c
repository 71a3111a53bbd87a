// The comparison function counts through the argument that both threads give.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
static long calls;
static int cmp(const void *a, const void *b, void *n) {
  ++*(long *)n; // RACE!
  return *(const int *)a - *(const int *)b;
}
static void *sort(void *p) {
  int v[3] = {3, 1, 2};
  qsort_r(v, 3, sizeof v[0], cmp, &calls);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, sort, 0);
  pthread_create(&b, 0, sort, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
