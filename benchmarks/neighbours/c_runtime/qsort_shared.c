// WANT: verify | racy | qsort itself writes the array that another thread reads
// WANT: no-data-race | FALSE | the same
#include <pthread.h>
#include <stdlib.h>
static int scores[4] = {4, 1, 3, 2};
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *sorter(void *p) {
  qsort(scores, 4, sizeof scores[0], cmp); // RACE!
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sorter, 0);
  int top = scores[0]; // RACE!
  pthread_join(t, 0);
  return top < 1;
}
