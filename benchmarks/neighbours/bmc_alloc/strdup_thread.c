// WANT: bmc:race | no bug | the thread gets a request of variable size that it alone uses and frees
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct req { size_t n; char url[]; };
static void *serve(void *p) {
  struct req *r = p;
  r->url[r->n - 1] = '!'; // NORACE
  free(r);
  return 0;
}
static struct req *mk(const char *u) {
  size_t n = strlen(u);
  struct req *r = malloc(sizeof *r + n + 1);
  if (!r) exit(0);
  r->n = n;
  memcpy(r->url, u, n + 1); // NORACE
  return r;
}
int main(void) {
  pthread_t a, b;
  if (pthread_create(&a, 0, serve, mk("ab"))) return 0;
  if (pthread_create(&b, 0, serve, mk("c"))) return 0;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
