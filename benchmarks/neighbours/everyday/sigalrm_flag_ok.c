// The handler of SIGALRM sets a flag of the type that is meant for it, in a program of
// one thread.
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t fired;
static void on_alarm(int s) {
  (void)s;
  fired = 1;
}
int main(void) {
  struct sigaction a = {0};
  a.sa_handler = on_alarm;
  sigemptyset(&a.sa_mask);
  sigaction(SIGALRM, &a, 0);
  alarm(1);
  while (!fired)
    pause();
  return 0;
}
