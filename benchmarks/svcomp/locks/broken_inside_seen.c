/*
 * A variable leaves its normal value inside a critical section; the checker looks without the mutex.
 *
 * unreach-call: false, the checker may look between the two stores.
 * no-data-race: false, its read and the stores conflict without a common lock.
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
int x;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	x = 1;
	x = 0;
	pthread_mutex_unlock(&m);
	return 0;
}
void *checker(void *arg)
{
	__VERIFIER_assert(x == 0);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, checker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
