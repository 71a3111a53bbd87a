// A thread lends the address of its thread-local counter, and does not wait.
#include <pthread.h>
static __thread int hits;
static void *helper(void *p) {
  ++*(int *)p; // RACE!
  return 0;
}
static void *worker(void *p) {
  pthread_t t;
  pthread_create(&t, 0, helper, &hits);
  hits++; // RACE!
  pthread_join(t, 0);
  return p;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_join(a, 0);
  return 0;
}
