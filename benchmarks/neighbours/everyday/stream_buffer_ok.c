// The stream has a buffer of the program, which nobody touches while it is open.
#include <pthread.h>
#include <stdio.h>
static char buf[1024];
static void *say(void *p) {
  puts("worker");
  return p;
}
int main(void) {
  pthread_t t;
  buf[0] = 0;
  setvbuf(stdout, buf, _IOFBF, sizeof buf);
  pthread_create(&t, 0, say, 0);
  puts("main");
  pthread_join(t, 0);
  return 0;
}
