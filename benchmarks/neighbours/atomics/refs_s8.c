// WANT: unreach-call | TRUE | on signed char the same gives -1
extern void abort(void);
void reach_error(void) { abort(); }
struct obj { signed char refs; };
static int put(struct obj *o) { return __sync_sub_and_fetch(&o->refs, 1) < 0; }
int main(void) {
  struct obj o = {1};
  int under = put(&o);
  under |= put(&o);
  if (!under) reach_error();
  if (__atomic_fetch_add(&o.refs, 1, __ATOMIC_SEQ_CST) != -1) reach_error();
  return 0;
}
