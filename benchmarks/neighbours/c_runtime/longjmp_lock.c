// WANT: verify | racy | longjmp leaves past the lock: the access behind setjmp is not protected
// WANT: no-data-race | FALSE | the same
#include <pthread.h>
#include <setjmp.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static __thread jmp_buf env;
static int level;
static void check(int v) {
  if (v < 0) longjmp(env, 1);
  pthread_mutex_lock(&m);
}
static void *worker(void *p) {
  int v = p ? -1 : 1;
  if (setjmp(env)) {
    level = 0; // RACE!
    return 0;
  }
  check(v);
  level = v; // RACE!
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, &m);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
