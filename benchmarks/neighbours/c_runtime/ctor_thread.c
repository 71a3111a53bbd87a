// WANT: verify | racy | a constructor starts the thread before main
// WANT: no-data-race | FALSE | the same
#include <pthread.h>
static int config = 1;
static pthread_t loader;
static void *load(void *p) {
  config = 2; // RACE!
  return p;
}
__attribute__((constructor)) static void start(void) { pthread_create(&loader, 0, load, 0); }
int main(void) {
  int c = config; // RACE!
  pthread_join(loader, 0);
  return c > 2;
}
