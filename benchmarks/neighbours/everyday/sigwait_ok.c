// All threads block the signals, one waits for them and locks what it changes.
#include <pthread.h>
#include <signal.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int reload;
static sigset_t set;
static void *signals(void *p) {
  for (int n = 0; n < 2; n++) {
    int s;
    if (sigwait(&set, &s))
      break;
    if (s == SIGTERM)
      break;
    pthread_mutex_lock(&m);
    reload++;
    pthread_mutex_unlock(&m);
  }
  return p;
}
int main(void) {
  pthread_t t;
  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&t, 0, signals, 0);
  pthread_mutex_lock(&m);
  int again = reload;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return again > 2;
}
