// The reader of a sequence lock reads plain members while they are written.
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint seq;
static int x, y;
static void *writer(void *p) {
  atomic_fetch_add(&seq, 1);
  x = 1; // RACE!
  y = 1;
  atomic_fetch_add(&seq, 1);
  return p;
}
static int read_both(void) {
  for (;;) {
    unsigned s = atomic_load(&seq);
    if (s & 1)
      continue;
    int a = x, b = y; // RACE!
    if (s == atomic_load(&seq))
      return a + b;
  }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int n = read_both();
  pthread_join(t, 0);
  return n == 1;
}
