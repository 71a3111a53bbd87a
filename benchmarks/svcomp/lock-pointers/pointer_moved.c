/*
 * A global pointer to a mutex is set to another mutex between the creation of two threads.
 *
 * unreach-call: false, the first thread may use the old mutex and the second one the new one.
 * no-data-race: false, the counter, and the pointer itself, are used without a common lock.
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
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *lock = &a;
int n;
void *worker(void *arg)
{
	pthread_mutex_t *mine = lock;
	pthread_mutex_lock(mine);
	n++;
	pthread_mutex_unlock(mine);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	lock = &b;
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
