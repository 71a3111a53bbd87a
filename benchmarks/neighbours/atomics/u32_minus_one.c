// WANT: unreach-call | FALSE | an unsigned result compared with -1, and a difference of two that wraps
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static atomic_uint rd = 5, wr = 3;
static int room(void) { return atomic_load(&wr) - atomic_load(&rd) > 16; } /* meant: below zero is not > 16 */
int main(void) {
  if (room()) reach_error();
  return 0;
}
