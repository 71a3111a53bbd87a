// Each thread has its own thread-local buffer.
#include <pthread.h>
#include <stdio.h>
static _Thread_local char buf[16];
static const char *text(int n) {
  snprintf(buf, sizeof buf, "%d", n);
  return buf;
}
static void *worker(void *p) {
  puts(text(1));
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  puts(text(2));
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
