// WANT: bmc:race | no bug | each thread writes its own cell of the variable array
#include <pthread.h>
#include <stdlib.h>
static void *worker(void *p) {
  *(int *)p = 3; // NORACE
  return 0;
}
static int run(int n) {
  int cells[n], sum = 0;
  pthread_t ts[n];
  for (int i = 0; i < n; i++)
    pthread_create(&ts[i], 0, worker, &cells[i]);
  for (int i = 0; i < n; i++) {
    pthread_join(ts[i], 0);
    sum += cells[i]; // NORACE
  }
  return sum;
}
int main(void) { return run(2) != 6; }
