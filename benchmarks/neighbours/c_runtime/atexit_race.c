// WANT: verify | racy | the atexit handler runs while the detached thread is still there
// WANT: no-data-race | FALSE | the same
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int lines;
static void summary(void) {
  usleep(2000);
  if (lines > 0) // RACE!
    write(1, ".", 1);
}
static void *logger(void *p) {
  for (int i = 0; i < 100; i++) {
    lines++; // RACE!
    usleep(100);
  }
  return p;
}
int main(void) {
  pthread_t t;
  atexit(summary);
  pthread_create(&t, 0, logger, 0);
  pthread_detach(t);
  return 0;
}
