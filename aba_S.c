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

static _Atomic(int*) p; static int x,y;
static void *w(void*q){ int*e=&x; if(atomic_compare_exchange_strong(&p,&e,&y)) {e=&y; atomic_compare_exchange_strong(&p,&e,&x);} return 0;}
int main(void){ pthread_t a; p=&x; pthread_create(&a,0,w,0); int*r=atomic_exchange(&p,0); assert(r==&x||r==&y); pthread_join(a,0); assert(p==0); return 0;}
