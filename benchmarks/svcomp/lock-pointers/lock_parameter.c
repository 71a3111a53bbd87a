/*
 * A function gets the mutex and the counter as parameters.
 *
 * unreach-call: true, each counter comes with its own mutex, no increment is lost.
 * no-data-race: true, a counter is always passed with the same mutex.
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
pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t mb = PTHREAD_MUTEX_INITIALIZER;
int a, b;
void add(pthread_mutex_t *m, int *p)
{
	pthread_mutex_lock(m);
	(*p)++;
	pthread_mutex_unlock(m);
}
void *worker(void *arg)
{
	add(&ma, &a);
	add(&mb, &b);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(a == 2 && b == 2);
	return 0;
}
