// WANT: unreach-call | FALSE | operators on _Atomic objects: c++ of an unsigned char wraps, x++ of a long in ?: stays a long
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static _Atomic unsigned char c = 255;
static _Atomic long x = 1L << 35;
static int off;
int main(void) {
  if (c++ != 255 || c != 0) return 0;
  if ((c -= 1) != 255) return 0;
  if (sizeof(c++) != 1) return 0;
  long y = off ? 0 : x++;
  if (y >> 35 == 1) reach_error();
  return 0;
}
