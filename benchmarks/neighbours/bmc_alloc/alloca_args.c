// WANT: bmc:race | bug | alloca of a variable number of arguments for the threads, which share one target
#include <alloca.h>
#include <pthread.h>
#include <stdlib.h>
struct arg { int id; long *sum; };
static void *worker(void *p) {
  struct arg *a = p;
  *a->sum += a->id; // RACE!
  return 0;
}
static long run(int n) {
  long sum = 0;
  struct arg *args = alloca(n * sizeof *args);
  pthread_t *ts = alloca(n * sizeof *ts);
  for (int i = 0; i < n; i++) {
    args[i].id = i;
    args[i].sum = &sum;
    pthread_create(&ts[i], 0, worker, &args[i]);
  }
  for (int i = 0; i < n; i++)
    pthread_join(ts[i], 0);
  return sum; // NORACE
}
int main(void) { return run(2) > 1; }
