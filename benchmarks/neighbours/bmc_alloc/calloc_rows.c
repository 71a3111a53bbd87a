// WANT: bmc:race | bug | calloc of n rows behind a header, n from an argument; zero there lets the writer in
#include <pthread.h>
#include <stdlib.h>
struct row { int id, live; };
struct table { size_t n; struct row row[]; };
static struct table *tab;
static int writes;
static void *worker(void *p) {
  if (tab->row[tab->n - 1].live == 0)
    writes++; // RACE!
  return p;
}
static struct table *new_table(size_t n) {
  struct table *t = calloc(1, sizeof *t + n * sizeof t->row[0]);
  if (t) t->n = n;
  return t;
}
int main(void) {
  pthread_t t;
  tab = new_table(3);
  if (!tab) return 0;
  pthread_create(&t, 0, worker, 0);
  writes++; // RACE!
  pthread_join(t, 0);
  free(tab);
  return 0;
}
