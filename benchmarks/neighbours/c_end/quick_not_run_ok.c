// at_quick_exit's function does not run where the process ends with its last thread.
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
static void save(void) { reach_error(); }
static void *writer(void *p) { return p; }
int main(void) {
  pthread_t a;
  at_quick_exit(save);
  pthread_create(&a, 0, writer, 0);
  pthread_exit(0);
}
