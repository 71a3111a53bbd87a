// WANT: no-data-race | TRUE | a spin lock whose word holds the owner in the upper half; the result of the exchange is a long
// WANT: verify | race-free | the same
#include <pthread.h>
static long word;
static int shared;
static void enter(long id) {
  while (__sync_lock_test_and_set(&word, id << 32) != 0)
    ;
}
static void leave(void) { __sync_lock_release(&word); }
static void *worker(void *p) {
  enter(1);
  shared++; // NORACE
  leave();
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  enter(2);
  shared += 2; // NORACE
  leave();
  pthread_join(t, 0);
  return 0;
}
