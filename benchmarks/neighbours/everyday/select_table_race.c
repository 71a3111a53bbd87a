// The thread that selects reads the table of clients that main changes.
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>
static int clients[8], n;
static void *loop(void *p) {
  for (int turn = 0; turn < 2; turn++) {
    fd_set in;
    int top = 0;
    FD_ZERO(&in);
    for (int i = 0; i < n; i++) { // RACE!
      FD_SET(clients[i], &in);
      if (clients[i] > top)
        top = clients[i];
    }
    struct timeval t = {0, 1000};
    select(top + 1, &in, 0, 0, &t);
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, loop, 0);
  clients[0] = dup(0);
  n = 1; // RACE!
  pthread_join(t, 0);
  return 0;
}
