// WANT: unreach-call | TRUE | ~ of an unsigned char result is an int below zero, of an unsigned one it is not
extern void abort(void);
void reach_error(void) { abort(); }
static unsigned char lo = 0x0f;
static unsigned wide = 0x0f;
static unsigned long longer = 0x0f;
int main(void) {
  if (~__atomic_fetch_and(&lo, 0xf0, __ATOMIC_SEQ_CST) >= 0) reach_error();
  if (~__atomic_load_n(&wide, __ATOMIC_RELAXED) < 0) reach_error();
  if (~__sync_fetch_and_or(&longer, 1) >> 60 != 15) reach_error();
  if (lo != 0) reach_error();
  return 0;
}
