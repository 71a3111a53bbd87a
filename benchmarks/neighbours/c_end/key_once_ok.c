// The key is made once by whoever comes first; the destructor gets the thread's own
// buffer, and a second key has no destructor. What main has is not
// destroyed when it returns.
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t buffer, name;
struct buf { int used; };
static void drop(void *p) {
  struct buf *b = p;
  if (b->used != 1)
    reach_error();
  free(b);
}
static void make(void) {
  pthread_key_create(&buffer, drop);
  pthread_key_create(&name, 0);
}
static struct buf *mine(void) {
  pthread_once(&once, make);
  struct buf *b = pthread_getspecific(buffer);
  if (!b) {
    b = calloc(1, sizeof *b);
    if (!b)
      exit(1);
    pthread_setspecific(buffer, b);
  }
  return b;
}
static void *worker(void *p) {
  mine()->used++;
  pthread_setspecific(name, "worker");
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  mine()->used = 2;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
