/*
 * Main releases the mutex before it joins the thread.
 *
 * no-deadlock: true, the thread gets the mutex and ends.
 * no-data-race: true, the counter is under the mutex, main reads it after the join.
 * unreach-call: true, no increment is lost.
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
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1;
	pthread_create(&t1, 0, worker, 0);
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	pthread_join(t1, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
