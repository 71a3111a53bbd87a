// WANT: unreach-call | TRUE | __atomic_fetch_add of a pointer counts bytes, gives the old pointer, and is indexed
extern void abort(void);
void reach_error(void) { abort(); }
static int ring[4] = {10, 11, 12, 13};
static int *tail = ring;
int main(void) {
  int *a = __atomic_fetch_add(&tail, sizeof *tail, __ATOMIC_RELAXED);
  if (*a != 10) reach_error();
  if (*__atomic_add_fetch(&tail, sizeof *tail, __ATOMIC_RELAXED) != 12) reach_error();
  if (__atomic_load_n(&tail, __ATOMIC_RELAXED)[1] != 13) reach_error();
  if (__atomic_load_n(&tail, __ATOMIC_RELAXED) - a != 2) reach_error();
  return 0;
}
