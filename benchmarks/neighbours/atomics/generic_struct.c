// WANT: unreach-call | TRUE | the generic forms move whole objects: __atomic_load, _store, _exchange, _compare_exchange
extern void abort(void);
void reach_error(void) { abort(); }
struct pair { int a; unsigned short b, c; };
static struct pair cur = {-1, 65535, 2};
static double ratio = 0.5;
int main(void) {
  struct pair p, q = {1, 2, 3}, old;
  __atomic_load(&cur, &p, __ATOMIC_ACQUIRE);
  if (p.a != -1 || p.b != 65535) reach_error();
  __atomic_exchange(&cur, &q, &old, __ATOMIC_ACQ_REL);
  if (old.b + old.c != 65537) reach_error();
  p = q;
  q.a = 9;
  if (!__atomic_compare_exchange(&cur, &p, &q, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) reach_error();
  if (cur.a != 9) reach_error();
  double d, half = 0.25;
  __atomic_exchange(&ratio, &half, &d, __ATOMIC_RELAXED);
  if (d * 2 != 1.0) reach_error();
  return 0;
}
