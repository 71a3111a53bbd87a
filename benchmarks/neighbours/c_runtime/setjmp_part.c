// WANT: verify | racy | one function recovers by longjmp; the race of the counters has nothing to do with it
// WANT: no-data-race | FALSE | the same
#include <pthread.h>
#include <setjmp.h>
static __thread jmp_buf env;
static int parsed;
static void fail(void) { longjmp(env, 1); }
static void parse(int depth) {
  if (depth == 0) fail();
  parse(depth - 1);
}
static void *worker(void *p) {
  if (setjmp(env) == 0)
    parse(2);
  parsed++; // RACE!
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return parsed; // NORACE
}
