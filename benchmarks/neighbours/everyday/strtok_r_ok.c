// The same with strtok_r.
#include <pthread.h>
#include <string.h>
static char a[] = "x,y", b[] = "u,v";
static void *split(void *p) {
  char *save = 0;
  for (char *t = strtok_r(p, ",", &save); t; t = strtok_r(0, ",", &save))
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
