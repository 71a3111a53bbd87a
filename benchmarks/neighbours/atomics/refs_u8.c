// WANT: unreach-call | FALSE | __sync_sub_and_fetch on unsigned char wraps to 255 and is not negative
extern void abort(void);
void reach_error(void) { abort(); }
struct obj { unsigned char refs; int dead; };
static int put(struct obj *o) {
  if (__sync_sub_and_fetch(&o->refs, 1) < 0) return 1; /* meant to catch an underflow */
  return 0;
}
int main(void) {
  struct obj o = {1, 0};
  int under = put(&o);
  under |= put(&o);
  if (!under) reach_error();
  return 0;
}
