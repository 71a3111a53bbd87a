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

static pthread_mutex_t f[2]={PTHREAD_MUTEX_INITIALIZER,PTHREAD_MUTEX_INITIALIZER};
static void *ph(void*q){ long i=(long)q; L(&f[i]); L(&f[(i+1)%2]); U(&f[(i+1)%2]); U(&f[i]); return 0;}
int main(void){ pthread_t t[2]; for(long i=0;i<2;i++) pthread_create(&t[i],0,ph,(void*)i); for(int i=0;i<2;i++) pthread_join(t[i],0); return 0;}
