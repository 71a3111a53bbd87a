// WANT: verify | racy | main leaves by pthread_exit: its threads go on and race with each other
// WANT: no-data-race | FALSE | the same
#include <pthread.h>
static int hits;
static void *listener(void *p) {
  hits++; // RACE!
  return p;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) {
    if (pthread_create(&t[i], 0, listener, 0)) return 1;
    pthread_detach(t[i]);
  }
  pthread_exit(0);
}
