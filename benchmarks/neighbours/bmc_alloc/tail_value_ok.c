// WANT: unreach-call | TRUE | the same value through an int pointer, two elements, in a loop
#include <stdlib.h>
extern void abort(void);
void reach_error(void) { abort(); }
struct arr { int n; int v[]; };
static struct arr *iota(int n) {
  struct arr *a = malloc(sizeof *a + n * sizeof a->v[0]);
  if (!a) exit(0);
  a->n = n;
  for (int i = 0; i < n; i++)
    a->v[i] = i + 1;
  return a;
}
int main(void) {
  struct arr *a = iota(3);
  int sum = 0;
  for (int i = 0; i < a->n; i++)
    sum += a->v[i];
  if (sum != 6) reach_error();
  free(a);
  return 0;
}
