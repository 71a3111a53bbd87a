// The function of a timer runs in a thread of its own, beside main.
#include <signal.h>
#include <string.h>
#include <time.h>
static int beats;
static void beat(union sigval v) {
  (void)v;
  beats++; // RACE!
}
int main(void) {
  struct sigevent e;
  timer_t t;
  struct itimerspec in = {{0, 1000000}, {0, 1000000}};
  memset(&e, 0, sizeof e);
  e.sigev_notify = SIGEV_THREAD;
  e.sigev_notify_function = beat;
  timer_create(CLOCK_MONOTONIC, &e, &t);
  timer_settime(t, 0, &in, 0);
  while (beats < 3) // RACE!
    ;
  timer_delete(t);
  return 0;
}
