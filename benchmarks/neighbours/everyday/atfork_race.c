// A function that runs before each fork counts, and so does a thread.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static int forks;
static void before(void) {
  forks++; // RACE!
}
static void *worker(void *p) {
  forks++; // RACE!
  return p;
}
int main(void) {
  pthread_t t;
  pthread_atfork(before, 0, 0);
  pthread_create(&t, 0, worker, 0);
  if (fork() == 0)
    _exit(0);
  wait(0);
  pthread_join(t, 0);
  return 0;
}
