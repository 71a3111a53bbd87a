/*
 * Two threads try the mutex and count whether they got it or not.
 *
 * unreach-call: false, the thread that failed increments while the other does: one increment may be lost.
 * no-data-race: false, the failed thread writes n without the mutex, concurrently with the holder.
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
	int got = pthread_mutex_trylock(&m) == 0;
	n++;
	if (got)
		pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
