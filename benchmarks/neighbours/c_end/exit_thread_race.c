// main ends as a thread. One worker calls exit while the other one still counts.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static long total;
static void bye(void) { printf("%ld\n", total); } // RACE!
static void *worker(void *p) {
  (void)p;
  for (int i = 0; i < 10; i++)
    total++; // RACE!
  return 0;
}
static void *quitter(void *p) {
  (void)p;
  exit(0);
}
int main(void) {
  pthread_t a, b;
  atexit(bye);
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, quitter, 0);
  pthread_exit(0);
}
