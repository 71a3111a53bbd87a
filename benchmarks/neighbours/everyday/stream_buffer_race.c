// The program writes to the buffer that it gave to the stream.
#include <pthread.h>
#include <stdio.h>
static char buf[1024];
static void *say(void *p) {
  puts("worker");
  return p;
}
int main(void) {
  pthread_t t;
  setvbuf(stdout, buf, _IOFBF, sizeof buf); // RACE!
  pthread_create(&t, 0, say, 0);
  buf[0] = 'x'; // RACE!
  pthread_join(t, 0);
  return 0;
}
