/*
 * Two producers use a ring that is made for one.
 *
 * unreach-call: false, both may read tail 0 and store 1: two numbers went in, the tail says one.
 * no-data-race: false, in that execution both write slot 0.
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
int slot[4];
atomic_uint tail;
void *producer(void *arg)
{
	unsigned t = atomic_load(&tail);
	slot[t % 4] = 7;
	atomic_store(&tail, t + 1);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, producer, 0);
	pthread_create(&t2, 0, producer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(atomic_load(&tail) == 2);
	return 0;
}
