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

static int a[6];
static void *w(void*q){ int i=__VERIFIER_nondet_int(); __VERIFIER_assume(i>=0&&i<6); a[i]=i+1; return 0;}
int main(void){ pthread_t t; pthread_create(&t,0,w,0); pthread_join(t,0); int j=__VERIFIER_nondet_int(); __VERIFIER_assume(j>=0&&j<6); assert(a[j]==0||a[j]==j+1); assert(a[j]!=4); return 0;}
