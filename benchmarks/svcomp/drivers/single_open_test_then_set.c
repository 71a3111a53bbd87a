/*
 * The open of a single-open device tests the count and sets it in two steps.
 *
 * unreach-call: false, two processes may both find it closed.
 * no-data-race: false, then both touch the state of the device.
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
atomic_int opened;
int users;
int dev_open(void)
{
	if (atomic_load(&opened))
		return -16;
	atomic_store(&opened, 1);
	return 0;
}
void dev_release(void)
{
	atomic_store(&opened, 0);
}
void *process(void *arg)
{
	if (dev_open() == 0) {
		users++;
		__VERIFIER_assert(users == 1);
		users--;
		dev_release();
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, process, 0);
	pthread_create(&t2, 0, process, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
