/*
 * The second player does not wait for its turn.
 *
 * unreach-call: false, its increment may be lost between the load and the store of the first player.
 * no-data-race: false, its access to the number is not ordered with the first player's.
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
atomic_int turn;
int n;
void *patient(void *arg)
{
	while (atomic_load(&turn) != 0)
		;
	n++;
	atomic_store(&turn, 1);
	return 0;
}
void *hasty(void *arg)
{
	n++;
	atomic_store(&turn, 0);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, patient, 0);
	pthread_create(&t2, 0, hasty, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
