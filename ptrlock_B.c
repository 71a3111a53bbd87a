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

static pthread_mutex_t m1=PTHREAD_MUTEX_INITIALIZER,m2=PTHREAD_MUTEX_INITIALIZER; static pthread_mutex_t*volatile lk=&m1; static int x;
static void *w(void*q){ pthread_mutex_t*l=lk; L(l); int v=x; x=v+1; U(l); return 0;}
int main(void){ pthread_t t; pthread_create(&t,0,w,0); lk=&m2; w(0); pthread_join(t,0); assert(x==2); return 0;}
