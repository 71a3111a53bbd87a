/*
 * Two threads count only if they get the mutex at once.
 *
 * unreach-call: true, the first attempt finds the mutex free and succeeds; each success adds one, so the count
 *   is 1 or 2.
 * no-data-race: true, the counter is touched only after a successful trylock.
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
	if (pthread_mutex_trylock(&m) == 0) {
		n++;
	pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 1 || n == 2);
	return 0;
}
