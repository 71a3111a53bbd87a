// A table is filled once, by whoever comes first, and read from then on.
#include <threads.h>
static once_flag once = ONCE_FLAG_INIT;
static int squares[8];
static void fill(void) {
  for (int i = 0; i < 8; i++)
    squares[i] = i * i;
}
static int square(int i) {
  call_once(&once, fill);
  return squares[i & 7];
}
static int worker(void *p) {
  (void)p;
  return square(3);
}
int main(void) {
  thrd_t a, b;
  int x, y;
  thrd_create(&a, worker, 0);
  thrd_create(&b, worker, 0);
  thrd_join(a, &x);
  thrd_join(b, &y);
  return x != y;
}
