/*
 * Any number of threads tries to claim an object by one compare-and-exchange.
 *
 * unreach-call: true, the exchange from 0 succeeds once and the value never returns to 0, so one thread counts
 *   itself.
 * no-data-race: true, only the thread whose exchange succeeded touches "owners".
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
	int free = 0;
	if (atomic_compare_exchange_strong(&claimed, &free, 1)) {
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
