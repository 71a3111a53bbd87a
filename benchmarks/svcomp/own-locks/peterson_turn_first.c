/*
 * Peterson's algorithm with its two announcements swapped: the turn is given away before the interest is shown.
 *
 * unreach-call: false, thread 0 sets turn to 1; thread 1 sets it to 0, shows interest, sees no other and
 *   enters; thread 0 shows interest, sees turn 0 and enters as well.
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
atomic_int interested[2], turn;
int n;
void *worker(void *arg)
{
	long me = (long)arg;
	atomic_store(&turn, (int)(1 - me));
	atomic_store(&interested[me], 1);
	while (atomic_load(&interested[1 - me]) && atomic_load(&turn) == 1 - me)
		;
	n++;
	atomic_store(&interested[me], 0);
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
