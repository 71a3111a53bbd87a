// The handler of SIGALRM may run in either thread, and the other one counts, too.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static long count;
static void on_alarm(int s) {
  (void)s;
  count++; // RACE!
}
static void *worker(void *p) {
  for (int i = 0; i < 100; i++)
    count++; // RACE!
  return p;
}
int main(void) {
  pthread_t t;
  signal(SIGALRM, on_alarm);
  alarm(1);
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
