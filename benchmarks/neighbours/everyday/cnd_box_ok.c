// A box for one message, with C11 condition variables.
#include <threads.h>
static mtx_t m;
static cnd_t full, empty;
static int box, present;
static void put(int v) {
  mtx_lock(&m);
  while (present)
    cnd_wait(&empty, &m);
  box = v;
  present = 1;
  cnd_signal(&full);
  mtx_unlock(&m);
}
static int take(void) {
  mtx_lock(&m);
  while (!present)
    cnd_wait(&full, &m);
  int v = box;
  present = 0;
  cnd_signal(&empty);
  mtx_unlock(&m);
  return v;
}
static int producer(void *p) {
  (void)p;
  put(1);
  put(2);
  return 0;
}
int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_plain);
  cnd_init(&full);
  cnd_init(&empty);
  thrd_create(&t, producer, 0);
  int sum = take() + take();
  thrd_join(t, 0);
  return sum != 3;
}
