/*
 * A device that one process may open at a time: the open count is raised by one atomic exchange.
 *
 * unreach-call: true, the exchange from 0 to 1 lets one process in until it releases the device.
 * no-data-race: true, the state of the device is touched by its opener only.
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
	int closed = 0;
	return atomic_compare_exchange_strong(&opened, &closed, 1) ? 0 : -16;
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
