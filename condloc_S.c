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

MTX(m); static pthread_cond_t c=PTHREAD_COND_INITIALIZER; static int q[2],n,got;
static void *prod(void*p){ for(int i=0;i<2;i++){ L(&m); while(n==1) pthread_cond_wait(&c,&m); q[n++]=i; pthread_cond_broadcast(&c); U(&m);} return 0;}
int main(void){ pthread_t a; pthread_create(&a,0,prod,0); for(int i=0;i<2;i++){ L(&m); while(n==0) pthread_cond_wait(&c,&m); assert(q[--n]==i); pthread_cond_broadcast(&c); U(&m);} pthread_join(a,0); return 0;}
