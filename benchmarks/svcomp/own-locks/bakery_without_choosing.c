/*
 * The bakery without the "choosing" flags.
 *
 * unreach-call: false, both compute 1; thread 1 stores it and enters, as thread 0 has no number yet; thread 0
 *   stores 1 and goes first by its smaller index.
 * no-data-race: false, then both write the counter at once.
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
atomic_int number[2];
int n;
void *worker(void *arg)
{
	long me = (long)arg;
	long other = 1 - me;
	int mine = atomic_load(&number[other]) + 1;
	atomic_store(&number[me], mine);
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
