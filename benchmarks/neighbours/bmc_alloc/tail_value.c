// WANT: unreach-call | FALSE | what memcpy put behind the header is read back: 7 is there
#include <stdlib.h>
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }
struct node { struct node *next; };
static struct node *box(const void *v, size_t n) {
  struct node *b = malloc(sizeof *b + n);
  if (b) memcpy(b + 1, v, n);
  return b;
}
int main(void) {
  int seven = 7, got = 0;
  struct node *b = box(&seven, sizeof seven);
  if (!b) return 0;
  memcpy(&got, b + 1, sizeof got);
  if (got == 7) reach_error();
  free(b);
  return 0;
}
