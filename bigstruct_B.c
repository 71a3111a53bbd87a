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

struct s{int a[4]; struct s*n;}; static struct s A,B; static struct s *volatile p=&A;
static void *w(void*q){ struct s t=*p; t.a[2]=5; *p=t; return 0;}
int main(void){ pthread_t a; A.n=&B; pthread_create(&a,0,w,0); p=p->n; pthread_join(a,0); assert(B.a[2]!=5 || B.n==0); assert(!(A.a[2]==5)); assert(!(B.a[2]==5&&B.n==&B)); return 0;}
