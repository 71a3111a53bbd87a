// main ends by thrd_exit and so destroys its value, while the worker still counts.
#include <stdlib.h>
#include <threads.h>
static tss_t key;
static int count;
static void drop(void *p) {
  (void)p;
  count--; // RACE!
}
static int worker(void *p) {
  (void)p;
  count++; // RACE!
  return 0;
}
int main(void) {
  thrd_t t;
  static int own;
  tss_create(&key, drop);
  tss_set(key, &own);
  thrd_create(&t, worker, 0);
  thrd_exit(0);
}
