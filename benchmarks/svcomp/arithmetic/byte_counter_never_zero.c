/*
 * An atomic counter of eight bits is believed never to come back to 0.
 *
 * unreach-call: false, from 255 the next value is 0.
 * no-data-race: true, the threads use atomic operations only.
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
_Atomic unsigned char n = 254;
void *worker(void *arg)
{
	atomic_fetch_add(&n, 1);
	return 0;
}
void *observer(void *arg)
{
	__VERIFIER_assert(atomic_load(&n) != 0);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_create(&t3, 0, observer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
