// The thread that polls copies the table under its lock.
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct pollfd fds[4];
static int n;
static void *loop(void *p) {
  struct pollfd mine[4];
  for (int turn = 0; turn < 2; turn++) {
    pthread_mutex_lock(&m);
    int k = n;
    memcpy(mine, fds, sizeof mine);
    pthread_mutex_unlock(&m);
    if (poll(mine, k, 10) > 0 && mine[0].revents & POLLIN)
      break;
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, loop, 0);
  pthread_mutex_lock(&m);
  fds[0].fd = 0;
  fds[0].events = POLLIN;
  n = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
