// WANT: no-data-race | FALSE | trylock by a weak exchange whose failure is taken for "held by me already"
// WANT: verify | not race-free | the same
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lk;
static int depth;
static int try_enter(void) {
  int z = 0;
  return atomic_compare_exchange_weak(&lk, &z, 1);
}
static void *worker(void *p) {
  int mine = try_enter();
  depth++; // RACE!
  if (mine) atomic_store(&lk, 0);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  return 0;
}
