// A thread reads a timer descriptor and counts, main prints the count.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <unistd.h>
static int fd;
static uint64_t ticks;
static void *ticker(void *p) {
  uint64_t n;
  for (int i = 0; i < 3; i++)
    if (read(fd, &n, sizeof n) == sizeof n)
      ticks += n; // RACE!
  return p;
}
int main(void) {
  pthread_t t;
  struct itimerspec in = {{0, 1000000}, {0, 1000000}};
  fd = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_settime(fd, 0, &in, 0);
  pthread_create(&t, 0, ticker, 0);
  printf("%d\n", (int)ticks); // RACE!
  pthread_join(t, 0);
  close(fd);
  return 0;
}
