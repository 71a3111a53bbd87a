/*
 * A ticket lock: draw a number, wait until it is served.
 *
 * unreach-call: true, numbers are drawn in one step and differ, and one number is served at a time.
 * no-data-race: true, the counter is touched by the thread being served only.
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
atomic_uint next, serving;
int n;
void *worker(void *arg)
{
	unsigned mine = atomic_fetch_add(&next, 1);
	while (atomic_load(&serving) != mine)
		;
	n++;
	atomic_store(&serving, mine + 1);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
