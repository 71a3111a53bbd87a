// One thread changes the environment, another one goes through it by itself.
#include <pthread.h>
#include <stdlib.h>
extern char **environ;
static void *change(void *p) {
  setenv("MODE", "2", 1); // RACE!
  return p;
}
int main(void) {
  pthread_t t;
  int n = 0;
  pthread_create(&t, 0, change, 0);
  while (environ && environ[n]) // RACE!
    n++;
  pthread_join(t, 0);
  return n < 0;
}
