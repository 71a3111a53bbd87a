// WANT: unreach-call | TRUE | realloc keeps the header and the old trail
#include <stdlib.h>
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }
struct str { size_t len; char s[]; };
static struct str *append(struct str *a, const char *t) {
  size_t n = strlen(t);
  struct str *b = realloc(a, sizeof *b + a->len + n + 1);
  if (!b) exit(0);
  memcpy(b->s + b->len, t, n + 1);
  b->len += n;
  return b;
}
int main(void) {
  struct str *a = malloc(sizeof *a + 1);
  if (!a) return 0;
  a->len = 0;
  a->s[0] = 0;
  a = append(a, "ab");
  a = append(a, "c");
  if (a->len != 3 || a->s[0] != 'a' || a->s[2] != 'c') reach_error();
  free(a);
  return 0;
}
