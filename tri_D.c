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

MTX(a);MTX(b);MTX(c);
static void *w1(void*q){ L(&a);L(&b);U(&b);U(&a); return 0;}
static void *w2(void*q){ L(&b);L(&c);U(&c);U(&b); return 0;}
int main(void){ pthread_t t,u; pthread_create(&t,0,w1,0); pthread_create(&u,0,w2,0); L(&c);L(&a);U(&a);U(&c); pthread_join(t,0); pthread_join(u,0); return 0;}
