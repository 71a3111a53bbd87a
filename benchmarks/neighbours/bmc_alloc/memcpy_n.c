// WANT: bmc:race | bug | memcpy of a size that the caller chooses reads a buffer that the other thread fills
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
static char shared[8];
static void *filler(void *p) {
  shared[0] = 'x'; // RACE!
  return p;
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 1 || n > sizeof shared) return 0;
  char *copy = malloc(n);
  pthread_t t;
  if (!copy) return 0;
  pthread_create(&t, 0, filler, 0);
  memcpy(copy, shared, n); // RACE!
  pthread_join(t, 0);
  free(copy);
  return 0;
}
