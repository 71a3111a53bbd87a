/*
 * A process tests under the mutex that the device is there, releases the mutex and then uses the device.
 *
 * unreach-call: false, the disconnect may come between the test and the use.
 * no-data-race: true, both flags are under the mutex at every access.
 */
#include <pthread.h>
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
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int gone, powered = 1;
void *process(void *arg)
{
	pthread_mutex_lock(&lock);
	int there = !gone;
	pthread_mutex_unlock(&lock);
	if (there) {
		pthread_mutex_lock(&lock);
		__VERIFIER_assert(powered);
		pthread_mutex_unlock(&lock);
	}
	return 0;
}
void *disconnect(void *arg)
{
	pthread_mutex_lock(&lock);
	gone = 1;
	powered = 0;
	pthread_mutex_unlock(&lock);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, process, 0);
	pthread_create(&t2, 0, disconnect, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
