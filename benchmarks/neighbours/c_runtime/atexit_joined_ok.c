// WANT: verify | race-free | the atexit handler joins the thread first
// WANT: no-data-race | TRUE | the same
#include <pthread.h>
#include <stdlib.h>
static int lines;
static pthread_t t;
static void *logger(void *p) {
  lines++; // NORACE
  return p;
}
static void summary(void) {
  pthread_join(t, 0);
  lines = 0; // NORACE
}
int main(void) {
  if (pthread_create(&t, 0, logger, 0)) return 1;
  atexit(summary);
  return 0;
}
