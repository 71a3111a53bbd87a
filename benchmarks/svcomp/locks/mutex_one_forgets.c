/*
 * One of two threads increments the counter without the mutex.
 *
 * unreach-call: false, the careless increment may load, wait for the other's increment, and store over it.
 * no-data-race: false, the careless access and the locked one conflict, and no lock is common to both.
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
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void *careful(void *arg)
{
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	return 0;
}
void *careless(void *arg)
{
	n++;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, careful, 0);
	pthread_create(&t2, 0, careless, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
