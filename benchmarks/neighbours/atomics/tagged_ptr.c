// WANT: no-data-race | FALSE | a tagged pointer is taken apart from the result of __sync_fetch_and_add at once
// WANT: verify | racy | the same
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct conn { int fd; int bytes; };
static uintptr_t slot; /* address, lowest bit: closing */
static void *reader(void *p) {
  ((struct conn *)(__sync_fetch_and_add(&slot, 0) & ~(uintptr_t)1))->bytes += 10; // RACE!
  return p;
}
int main(void) {
  struct conn *c = calloc(1, sizeof *c);
  pthread_t t;
  __sync_lock_test_and_set(&slot, (uintptr_t)c | 1);
  pthread_create(&t, 0, reader, 0);
  c->bytes++; // RACE!
  pthread_join(t, 0);
  free(c);
  return 0;
}
