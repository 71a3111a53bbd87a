// Elements are sorted by one member, those that are equal keep their order, and the
// search finds what is there.
#include <stdlib.h>
extern void reach_error(void);
struct item { int rank; const char *name; };
static struct item items[4] = {{3, "c"}, {1, "a"}, {3, "d"}, {2, "b"}};
static int by_rank(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  return x->rank - y->rank;
}
static int is_rank(const void *key, const void *b) {
  return *(const int *)key - ((const struct item *)b)->rank;
}
int main(void) {
  int two = 2, nine = 9;
  qsort(items, 4, sizeof items[0], by_rank);
  for (int i = 0; i < 4; i++)
    if (items[i].name[0] != 'a' + i)
      reach_error();
  struct item *found = bsearch(&two, items, 4, sizeof items[0], is_rank);
  if (!found || found->name[0] != 'b')
    reach_error();
  if (bsearch(&nine, items, 4, sizeof items[0], is_rank))
    reach_error();
  return 0;
}
