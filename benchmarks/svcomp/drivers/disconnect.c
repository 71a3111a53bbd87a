/*
 * A process uses the device only if it is not gone, which it tests under the mutex it keeps during the use.
 *
 * unreach-call: true, the disconnect takes the mutex, so the device stays powered during a use.
 * no-data-race: true, both flags are under the mutex.
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
	if (!gone)
		__VERIFIER_assert(powered);
	pthread_mutex_unlock(&lock);
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
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, process, 0);
	pthread_create(&t2, 0, process, 0);
	pthread_create(&t3, 0, disconnect, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
