#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdatomic.h>
#include <errno.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void); extern void __VERIFIER_atomic_begin(void),__VERIFIER_atomic_end(void); void __VERIFIER_assume(int);
#define MTX(m) static pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER
#define L pthread_mutex_lock
#define U pthread_mutex_unlock

struct s{char c; short t; int i:20; long long l;}; 
static long f(struct s x, struct s*y){ return x.l>y->l? x.t : y->t; }
int main(void){ struct s a={.c='z',.t=-3,.i=(1<<19)-1,.l=1LL<<33}, b=a; b.l++; b.t=7; assert(f(a,&b)==7&&f(b,&a)==7); a.i++; assert(a.i==-(1<<19)); struct s arr[2]={a,b}; struct s *p=arr; assert((++p)->c=='z'); assert((char*)(p)-(char*)arr==sizeof(struct s) && sizeof(struct s)==16); int x=({int q=3; q*2;}); assert(x==6); int z = __builtin_popcount(0xff0); assert(z==8); assert(__builtin_clz(1)==31&&__builtin_ctz(8)==3); long o; assert(__builtin_add_overflow(5,6,&o)==0&&o==11); return 0;}
