/* What SV-COMP programs expect of the environment, for runs under ThreadSanitizer. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;
static __thread unsigned seed = 1;
static __thread int left = 200;
void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&section); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }
int __VERIFIER_nondet_int(void) { return left-- > 0 ? rand_r(&seed) % 5 + 1 : 0; }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)rand_r(&seed); }
_Bool __VERIFIER_nondet_bool(void) { return rand_r(&seed) % 2; }
void __VERIFIER_assume(int c) { if (!c) exit(0); }
void __VERIFIER_error(void) { abort(); }
void reach_error(void) { abort(); }
