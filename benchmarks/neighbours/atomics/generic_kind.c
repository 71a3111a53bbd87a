// WANT: unreach-call | FALSE | _Generic on atomic_exchange picks the object's own type
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define WIDTH(e) _Generic((e), unsigned char: 8, unsigned short: 16, int: 32, unsigned: 32, long: 64, unsigned long: 64, default: 0)
static _Atomic unsigned short pending = 3;
static _Atomic unsigned char ready;
int main(void) {
  int bits = WIDTH(atomic_exchange(&pending, 0)) + WIDTH(atomic_fetch_or(&ready, 1));
  if (bits == 24) reach_error();
  return 0;
}
