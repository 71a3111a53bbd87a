// The second step writes cells that others still read.
#include <pthread.h>
#define N 2
static pthread_barrier_t b;
static int cell[N];
static void *worker(void *p) {
  long me = (long)p;
  cell[me] = 1;
  pthread_barrier_wait(&b);
  int left = cell[(me + 1) % N]; // RACE!
  cell[me] = left + 1; // RACE!
  return 0;
}
int main(void) {
  pthread_t t[N];
  pthread_barrier_init(&b, 0, N);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  return 0;
}
