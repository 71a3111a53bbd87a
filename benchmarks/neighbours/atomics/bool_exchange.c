// WANT: unreach-call | TRUE | what is stored in an atomic _Bool is 0 or 1, and so are the builtins' answers
#include <stdatomic.h>
#include <stdbool.h>
extern void abort(void);
void reach_error(void) { abort(); }
static _Atomic bool busy;
static atomic_flag once = ATOMIC_FLAG_INIT;
static long gen = 1l << 32;
int main(void) {
  int want = 2;
  atomic_store(&busy, want);
  if (atomic_exchange(&busy, false) != 1) reach_error();
  if (atomic_flag_test_and_set(&once) + atomic_flag_test_and_set(&once) != 1) reach_error();
  long seen = 0;
  if (__atomic_compare_exchange_n(&gen, &seen, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) reach_error();
  if (seen != 1l << 32) reach_error();
  if (__sync_val_compare_and_swap(&gen, seen, 9) != seen) reach_error();
  return 0;
}
