// WANT: no-data-race | FALSE | the bit that is tested lies above bit 31 of fetch_or's result
// WANT: verify | racy | the same
#include <pthread.h>
#include <stdint.h>
static uint64_t online;
static int leader;
static void *cpu_up(void *p) {
  if (__atomic_fetch_or(&online, 1ull << 40, __ATOMIC_ACQ_REL) & (1ull << 41))
    leader = 40; // RACE!
  return p;
}
int main(void) {
  pthread_t t;
  online = 1ull << 41;
  pthread_create(&t, 0, cpu_up, 0);
  leader = 41; // RACE!
  pthread_join(t, 0);
  return 0;
}
