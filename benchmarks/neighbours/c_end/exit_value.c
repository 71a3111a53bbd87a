// The handler runs after main has ended as a thread, and after the last thread: the
// assertion in it is reached, and fails.
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
static int done;
static void bye(int status, void *arg) {
  if (done == *(int *)arg && status == 0)
    reach_error();
}
static void *worker(void *p) {
  (void)p;
  done = 7;
  return 0;
}
static int seven = 7;
int main(void) {
  pthread_t t;
  on_exit(bye, &seven);
  pthread_create(&t, 0, worker, 0);
  pthread_exit(0);
}
