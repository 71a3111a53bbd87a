// WANT: unreach-call | TRUE | xchg, lock xadd and lock cmpxchg in inline assembly swap, add, and compare as the processor does
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error() { __assert_fail("0", "asm_values.c", 3, "reach_error"); }
static void check(int c) { if (!c) reach_error(); }
static unsigned long m = 5;
static unsigned int w = 4;
static int d = 1;
int main(void) {
  unsigned long r = 7;
  __asm__ volatile ("xchgq %0, %1" : "+r" (r), "+m" (m) : : "memory");
  check(m == 7 && r == 5);
  r = 3;
  __asm__ volatile ("lock; xaddq %0, %1" : "+r" (r), "+m" (m) : : "memory", "cc");
  check(m == 10 && r == 7);
  unsigned char done;
  r = 9;
  __asm__ volatile ("lock cmpxchgq %[new], %[ptr]" : "=@ccz" (done), [ptr] "+m" (m), [old] "+a" (r) : [new] "r" (1ul) : "memory");
  check(!done && m == 10 && r == 10);
  __asm__ volatile ("lock cmpxchgq %[new], %[ptr]" : "=@ccz" (done), [ptr] "+m" (m), [old] "+a" (r) : [new] "r" (1ul) : "memory");
  check(done && m == 1 && r == 10);
  unsigned int was;
  __asm__ volatile ("lock; cmpxchgl %2,%1" : "=a" (was), "+m" (w) : "r" (8u), "0" (4u) : "memory");
  check(was == 4 && w == 8);
  int s = -2;
  __asm__ volatile ("lock; xaddl %0, %1" : "+r" (s), "+m" (d) : : "memory", "cc");
  check(s == 1 && d == -1);
  return 0;
}
