// WANT: no-data-race | FALSE | the engineer kept the result in an int: the owner in the upper half is lost, the lock does not exclude
// WANT: verify | racy | the same
#include <pthread.h>
static long word;
static int shared;
static void enter(long id) {
  int busy;
  do {
    busy = (int)__sync_lock_test_and_set(&word, id << 32);
  } while (busy);
}
static void leave(void) { __sync_lock_release(&word); }
static void *worker(void *p) {
  enter(1);
  shared++; // RACE!
  leave();
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  enter(2);
  shared += 2; // RACE!
  leave();
  pthread_join(t, 0);
  return 0;
}
