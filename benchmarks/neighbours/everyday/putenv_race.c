// The string is part of the environment, and is changed while another thread reads it.
#include <pthread.h>
#include <stdlib.h>
static char setting[] = "MODE=1"; // RACE!
static void *worker(void *p) {
  (void)p;
  return getenv("MODE");
}
int main(void) {
  pthread_t t;
  putenv(setting);
  pthread_create(&t, 0, worker, 0);
  setting[5] = '2'; // RACE!
  pthread_join(t, 0);
  return 0;
}
