// The table that call_once has filled is changed later without a lock.
#include <threads.h>
static once_flag once = ONCE_FLAG_INIT;
static int size;
static void init(void) { size = 10; }
static int worker(void *p) {
  call_once(&once, init);
  if (p)
    size = 20; // RACE!
  return size; // RACE!
}
int main(void) {
  thrd_t a, b;
  thrd_create(&a, worker, 0);
  thrd_create(&b, worker, &size);
  thrd_join(a, 0);
  thrd_join(b, 0);
  return 0;
}
