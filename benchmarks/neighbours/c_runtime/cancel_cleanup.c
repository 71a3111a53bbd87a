// WANT: verify | racy | the cleanup handler of a cancelled thread counts without the lock, while main reads before the join
// WANT: no-data-race | FALSE | the same
#include <pthread.h>
#include <unistd.h>
static int cancelled;
static void note(void *p) { ++*(int *)p; } // RACE!
static void *poller(void *p) {
  pthread_cleanup_push(note, &cancelled);
  for (;;)
    sleep(1);
  pthread_cleanup_pop(0);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, poller, 0);
  usleep(1000);
  pthread_cancel(t);
  int c = cancelled; // RACE!
  pthread_join(t, 0);
  return c > 1;
}
