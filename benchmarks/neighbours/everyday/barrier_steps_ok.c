// Each thread writes its own cell, and after the barrier reads all.
#include <pthread.h>
#define N 2
static pthread_barrier_t b;
static int cell[N], sum[N];
static void *worker(void *p) {
  long me = (long)p;
  cell[me] = (int)me + 1;
  pthread_barrier_wait(&b);
  for (int i = 0; i < N; i++)
    sum[me] += cell[i];
  return 0;
}
int main(void) {
  pthread_t t[N];
  pthread_barrier_init(&b, 0, N);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  pthread_barrier_destroy(&b);
  return sum[0] != sum[1];
}
