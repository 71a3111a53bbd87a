// WANT: unreach-call | TRUE | __sync_fetch_and_nand and nand_and_fetch by width, __atomic_test_and_set as a bool, -1 of a short
extern void abort(void);
void reach_error(void) { abort(); }
static unsigned char b = 0xff;
static short s = -1;
static unsigned long w = ~0ul;
static char flag;
int main(void) {
  if (__sync_nand_and_fetch(&b, 0x0f) != 0xf0) reach_error();
  if (__sync_fetch_and_xor(&s, 1) != -1 || s != -2) reach_error();
  if (__atomic_nand_fetch(&w, 1ul << 50, __ATOMIC_RELAXED) != ~(1ul << 50)) reach_error();
  if (__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE) != 0 || __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE) != 1) reach_error();
  if (-__sync_lock_test_and_set(&s, 5) != 2) reach_error();
  return 0;
}
