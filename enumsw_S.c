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

enum e{A=-1,B,C=5}; static int f(enum e x){ switch(x){case A...B: return 1; case C: return 2;} return 3;} int main(void){ assert(f(A)==1&&f(B)==1&&f(C)==2); assert('\377'==-1); assert(L'a'==97); assert(sizeof("ab")==3); assert("abc"[1]=='b'); assert(010==8&&0x1p3==8.0); return 0;}
