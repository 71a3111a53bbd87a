// WANT: bmc:race | bug | a vector that doubles by realloc; after the growth the kept element and the new one are there
#include <pthread.h>
#include <stdlib.h>
struct vec { int *p; size_t n, cap; };
static void push(struct vec *v, int x) {
  if (v->n == v->cap) {
    size_t cap = v->cap ? v->cap * 2 : 1;
    int *q = realloc(v->p, cap * sizeof *q);
    if (!q) exit(1);
    v->p = q;
    v->cap = cap;
  }
  v->p[v->n++] = x;
}
static int last;
static void *worker(void *p) { last = -1; return p; } // RACE!
int main(void) {
  pthread_t t;
  struct vec v = {0, 0, 0};
  push(&v, 5);
  push(&v, 6);
  pthread_create(&t, 0, worker, 0);
  if (v.p[0] == 5 && v.p[1] == 6)
    last = v.p[1]; // RACE!
  pthread_join(t, 0);
  free(v.p);
  return 0;
}
