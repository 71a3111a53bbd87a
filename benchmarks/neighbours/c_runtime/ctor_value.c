// WANT: unreach-call | TRUE | what a constructor writes is there in main
extern void abort(void);
void reach_error(void) { abort(); }
static int ready;
__attribute__((constructor(101))) static void early(void) { ready = 1; }
__attribute__((constructor)) static void late(void) { ready *= 10; }
int main(void) {
  if (ready != 10) reach_error();
  return 0;
}
