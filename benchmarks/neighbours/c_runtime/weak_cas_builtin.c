// WANT: unreach-call | FALSE or UNKNOWN | __atomic_compare_exchange_n with weak=1: the branch of the failure has expected == value
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static unsigned long slot;
static int take(unsigned long v) {
  unsigned long e = 0;
  if (!__atomic_compare_exchange_n(&slot, &e, v, 1, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    if (e == 0) reach_error(); /* "somebody else must have been here" */
    return 0;
  }
  return 1;
}
int main(void) { return !take(7); }
