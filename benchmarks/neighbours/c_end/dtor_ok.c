// main ends as a thread, and the destructor function runs when all others have ended.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int state;
__attribute__((destructor)) static void report(void) { printf("%d\n", state); }
static void *writer(void *p) {
  (void)p;
  state = 1;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, writer, 0);
  pthread_exit(0);
}
