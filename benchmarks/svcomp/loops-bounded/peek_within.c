/*
 * An observer looks at a counter that is raised three times.
 *
 * unreach-call: true, the counter starts at 0 and is raised three times, so it is between 0 and 3.
 * no-data-race: true, all concurrent accesses hold the mutex.
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
void *worker(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m);
		n++;
		pthread_mutex_unlock(&m);
	}
	return 0;
}
void *observer(void *arg)
{
	pthread_mutex_lock(&m);
	__VERIFIER_assert(n >= 0 && n <= 3);
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, observer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
