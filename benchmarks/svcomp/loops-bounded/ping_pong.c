/*
 * Two threads hand a plain number to and fro, twice, by an atomic turn variable.
 *
 * unreach-call: true, each thread touches the number only in its turn; four steps of one make 4.
 * no-data-race: true, the turn changes hands after the access, and the other reads the turn before its own.
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
void *player(void *arg)
{
	long me = (long)arg;
	for (int i = 0; i < 2; i++) {
		while (atomic_load(&turn) != me)
			;
		n++;
		atomic_store(&turn, 1 - me);
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, player, (void*)0);
	pthread_create(&t2, 0, player, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 4);
	return 0;
}
