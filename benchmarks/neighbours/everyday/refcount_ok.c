// The last of the users frees the object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct obj { atomic_int refs; int data; };
static void put(struct obj *o) {
  if (atomic_fetch_sub(&o->refs, 1) == 1) {
    o->data = 0;
    free(o);
  }
}
static void *user(void *p) {
  struct obj *o = p;
  int d = o->data;
  put(o);
  return d ? p : 0;
}
int main(void) {
  pthread_t t;
  struct obj *o = malloc(sizeof *o);
  if (!o)
    return 1;
  atomic_init(&o->refs, 2);
  o->data = 5;
  pthread_create(&t, 0, user, o);
  put(o);
  pthread_join(t, 0);
  return 0;
}
