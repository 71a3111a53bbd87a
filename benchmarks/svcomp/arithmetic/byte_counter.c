/*
 * An atomic counter of eight bits starts at 254 and is raised by three threads.
 *
 * unreach-call: true, it wraps from 255 to 0: the end value is 1.
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
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_create(&t3, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	__VERIFIER_assert(atomic_load(&n) == 1);
	return 0;
}
