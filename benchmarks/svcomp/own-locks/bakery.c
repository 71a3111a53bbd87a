/*
 * Lamport's bakery for two threads: choose a number above the other's, the smaller number goes first.
 *
 * unreach-call: true, "choosing" keeps a thread from comparing with a number that is still being chosen, so one
 *   goes first.
 * no-data-race: true, the counter is touched inside only, and the atomics order the visits.
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
atomic_int choosing[2], number[2];
int n;
void *worker(void *arg)
{
	long me = (long)arg;
	long other = 1 - me;
	atomic_store(&choosing[me], 1);
	int mine = atomic_load(&number[other]) + 1;
	atomic_store(&number[me], mine);
	atomic_store(&choosing[me], 0);
	while (atomic_load(&choosing[other]))
		;
	for (;;) {
		int theirs = atomic_load(&number[other]);
		if (theirs == 0 || mine < theirs || (mine == theirs && me < other))
			break;
	}
	n++;
	atomic_store(&number[me], 0);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
