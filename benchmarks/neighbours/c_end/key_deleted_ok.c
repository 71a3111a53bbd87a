// The key is deleted before the thread ends: no destructor is called.
#include <threads.h>
extern void reach_error(void);
static tss_t key;
static void drop(void *p) {
  (void)p;
  reach_error();
}
static int value;
static int worker(void *p) {
  (void)p;
  tss_set(key, &value);
  tss_delete(key);
  return 0;
}
int main(void) {
  thrd_t t;
  tss_create(&key, drop);
  thrd_create(&t, worker, 0);
  thrd_join(t, 0);
  return 0;
}
