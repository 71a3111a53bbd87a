/*
 * Any number of threads looks whether an object is free and then claims it.
 *
 * unreach-call: false, two threads may both find it free; the second to count itself finds two owners.
 * no-data-race: false, both write "owners" with nothing between them.
 */
#include <pthread.h>
#include <stdatomic.h>
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
atomic_int claimed;
int owners;
void *worker(void *arg)
{
	if (atomic_load(&claimed) == 0) {
		atomic_store(&claimed, 1);
		owners++;
		__VERIFIER_assert(owners == 1);
	}
	return 0;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_bool())
		pthread_create(&t, 0, worker, 0);
	return 0;
}
