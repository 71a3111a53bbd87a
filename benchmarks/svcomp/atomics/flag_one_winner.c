/*
 * Two threads set an atomic flag; who finds it clear is the winner and writes its name.
 *
 * unreach-call: true, test-and-set gives "was clear" to exactly one caller, so there is one winner.
 * no-data-race: true, only the winner writes the plain variables, and main reads them after both joins.
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
atomic_flag taken = ATOMIC_FLAG_INIT;
int winners;
long owner;
void *worker(void *arg)
{
	if (!atomic_flag_test_and_set(&taken)) {
		winners++;
		owner = (long)arg;
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)1);
	pthread_create(&t2, 0, worker, (void*)2);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(winners == 1 && (owner == 1 || owner == 2));
	return 0;
}
