// A thread that is not main calls exit. The destructor function reads what another thread
// still writes.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int state;
__attribute__((destructor)) static void report(void) { printf("%d\n", state); } // RACE!
static void *writer(void *p) {
  (void)p;
  state = 1; // RACE!
  return 0;
}
static void *quitter(void *p) {
  (void)p;
  exit(0);
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, quitter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
