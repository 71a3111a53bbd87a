// WANT: no-data-race | FALSE | -> and [] on results of __atomic_load_n, two levels deep
// WANT: verify | racy | the same
#include <pthread.h>
struct table { int n; int *row[2]; };
static int r0[2], r1[2];
static struct table first = {2, {r0, r1}};
static struct table *cur = &first;
static void *writer(void *p) {
  __atomic_load_n(&__atomic_load_n(&cur, __ATOMIC_ACQUIRE)->row[1], __ATOMIC_ACQUIRE)[0] = 5; // RACE!
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int got = __atomic_load_n(&cur, __ATOMIC_ACQUIRE)->row[1][0]; // RACE!
  pthread_join(t, 0);
  return got > 5;
}
