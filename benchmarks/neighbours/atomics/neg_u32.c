// WANT: unreach-call | FALSE | unary minus of an unsigned 32 bit result is positive as a long
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static atomic_uint credit = 1;
int main(void) {
  long debt = -atomic_load(&credit);
  if (debt > 0) reach_error();
  return 0;
}
