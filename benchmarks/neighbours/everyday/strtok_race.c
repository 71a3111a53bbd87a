// Two threads take texts apart with strtok, which keeps its place for all.
#include <pthread.h>
#include <string.h>
static char a[] = "x,y", b[] = "u,v";
static void *split(void *p) {
  for (char *t = strtok(p, ","); t; t = strtok(0, ",")) // RACE!
    t[0] = '!';
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, split, a);
  pthread_create(&u, 0, split, b);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
