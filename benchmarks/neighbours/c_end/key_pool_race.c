// The task of a pool, given by a pointer, is called by main as well: at its end as a
// thread the destructor writes what main reads before the join.
#include <pthread.h>
static pthread_key_t key;
static int flushed;
static void flush(void *p) {
  flushed += *(int *)p; // RACE!
}
static int one = 1;
static void *task(void *p) {
  pthread_setspecific(key, p);
  return 0;
}
struct job { void *(*run)(void *); void *arg; };
static int start(pthread_t *t, struct job *j) {
  return pthread_create(t, 0, j->run, j->arg);
}
int main(void) {
  pthread_t t;
  struct job j = {task, &one};
  pthread_key_create(&key, flush);
  task(0);
  if (start(&t, &j))
    return 1;
  int now = flushed; // RACE!
  pthread_join(t, 0);
  return now;
}
