// at_quick_exit's function runs in the thread that calls quick_exit, beside the others.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int state;
static void save(void) { printf("%d\n", state); } // RACE!
static void *writer(void *p) {
  (void)p;
  state = 1; // RACE!
  return 0;
}
int main(void) {
  pthread_t a;
  at_quick_exit(save);
  pthread_create(&a, 0, writer, 0);
  quick_exit(0);
}
