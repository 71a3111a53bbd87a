/*
 * Any number of threads replace a seed by others that are not 0, without a lock.
 *
 * unreach-call: true, all that is ever stored is not 0.
 * no-data-race: false, the stores are not ordered.
 */
#include <pthread.h>
extern void abort(void);
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
int seed = 1;
void *worker(void *arg)
{
	int s = __VERIFIER_nondet_int();
	if (s == 0)
		s = 7;
	seed = s;
	__VERIFIER_assert(seed != 0);
	return 0;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_bool())
		pthread_create(&t, 0, worker, 0);
	return 0;
}
