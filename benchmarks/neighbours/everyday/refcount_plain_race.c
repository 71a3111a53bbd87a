// The references are counted without atomics.
#include <pthread.h>
#include <stdlib.h>
struct obj { int refs; int data; };
static void put(struct obj *o) {
  if (--o->refs == 0) // RACE!
    free(o);
}
static void *user(void *p) {
  put(p);
  return 0;
}
int main(void) {
  pthread_t t;
  struct obj *o = malloc(sizeof *o);
  if (!o)
    return 1;
  o->refs = 2;
  pthread_create(&t, 0, user, o);
  put(o);
  pthread_join(t, 0);
  return 0;
}
