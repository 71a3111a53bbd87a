// WANT: bmc:race | bug | a message with a flexible array, the size comes from strlen; the race is behind reading the text
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct msg { int len; char text[]; };
static struct msg *mk(const char *s) {
  size_t n = strlen(s);
  struct msg *m = malloc(sizeof *m + n + 1);
  if (!m) return 0;
  m->len = (int)n;
  memcpy(m->text, s, n + 1);
  return m;
}
static int state;
static void *worker(void *p) { state = 1; return p; } // RACE!
int main(void) {
  pthread_t t;
  struct msg *m = mk("go");
  if (!m) return 0;
  pthread_create(&t, 0, worker, 0);
  if (m->text[1] == 'o')
    state = 2; // RACE!
  pthread_join(t, 0);
  free(m);
  return 0;
}
