/*
 * A ticket lock whose numbers are drawn by a load and a store.
 *
 * unreach-call: false, both threads may draw 0 and are served together.
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
atomic_uint next, serving;
int n;
void *worker(void *arg)
{
	unsigned mine = atomic_load(&next);
	atomic_store(&next, mine + 1);
	while (atomic_load(&serving) < mine)
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
