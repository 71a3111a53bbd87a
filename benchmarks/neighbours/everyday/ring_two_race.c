// The same ring with two producers.
#include <pthread.h>
#include <stdatomic.h>
#define N 4
static int slot[N];
static atomic_uint head, tail;
static int push(int v) {
  unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
  if (h - atomic_load_explicit(&tail, memory_order_acquire) == N)
    return 0;
  slot[h % N] = v; // RACE!
  atomic_store_explicit(&head, h + 1, memory_order_release);
  return 1;
}
static int pop(int *v) {
  unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
  if (t == atomic_load_explicit(&head, memory_order_acquire))
    return 0;
  *v = slot[t % N];
  atomic_store_explicit(&tail, t + 1, memory_order_release);
  return 1;
}
static void *producer(void *p) {
  push(1);
  push(2);
  return p;
}
int main(void) {
  pthread_t a, b;
  int v = 0, sum = 0;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, producer, 0);
  for (int i = 0; i < 3; i++)
    if (pop(&v))
      sum += v;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return sum > 6;
}
