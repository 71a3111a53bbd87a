// The same with members that are read and written atomically.
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint seq;
static atomic_int x, y;
static void *writer(void *p) {
  atomic_fetch_add(&seq, 1);
  atomic_store(&x, 1);
  atomic_store(&y, 1);
  atomic_fetch_add(&seq, 1);
  return p;
}
static int read_both(void) {
  for (;;) {
    unsigned s = atomic_load(&seq);
    if (s & 1)
      continue;
    int a = atomic_load(&x), b = atomic_load(&y);
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
