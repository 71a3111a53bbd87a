// WANT: verify | race-free | each thread sorts its own copy, the comparison looks at a constant table
// WANT: no-data-race | TRUE | the same
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static const int weight[4] = {3, 1, 2, 0};
static const int input[4] = {0, 1, 2, 3};
static int cmp(const void *a, const void *b) {
  return weight[*(const int *)a] - weight[*(const int *)b]; // NORACE
}
static void *sorter(void *p) {
  int mine[4];
  memcpy(mine, input, sizeof mine); // NORACE
  qsort(mine, 4, sizeof mine[0], cmp);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sorter, 0);
  sorter(0);
  pthread_join(t, 0);
  return 0;
}
