// WANT: unreach-call | TRUE | sizeof, typeof and _Generic of results: pointers, long long, _Bool, enums
#include <stdatomic.h>
#include <stdbool.h>
extern void abort(void);
void reach_error(void) { abort(); }
enum st { IDLE, BUSY };
struct job { struct job *next; long id; };
static struct job *head;
static unsigned long long ticks = 1ull << 36;
static _Atomic(bool) stop;
static enum st state;
int main(void) {
  struct job j = {0, 1l << 33};
  __atomic_store_n(&head, &j, __ATOMIC_RELEASE);
  __typeof__(__atomic_load_n(&head, __ATOMIC_ACQUIRE)) p = __atomic_load_n(&head, __ATOMIC_ACQUIRE);
  if (p->id >> 33 != 1) reach_error();
  if (sizeof(__atomic_fetch_add(&ticks, 1, __ATOMIC_RELAXED)) != 8) reach_error();
  if (sizeof(atomic_exchange(&stop, true)) != 1) reach_error();
  if (_Generic(__sync_val_compare_and_swap(&head, &j, 0), struct job *: 1, default: 0) != 1) reach_error();
  if (__atomic_exchange_n(&state, BUSY, __ATOMIC_ACQ_REL) != IDLE) reach_error();
  if (ticks != 1ull << 36) reach_error();
  return 0;
}
