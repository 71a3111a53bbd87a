/*
 * A function yields the two mutexes in turn, whoever asks.
 *
 * unreach-call: false, two threads get different mutexes for the same counter, an increment may be lost.
 * no-data-race: false, the same accesses.
 */
#include <pthread.h>
#include <stdatomic.h>
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
pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
atomic_uint turn;
int n;
pthread_mutex_t *some_lock(void)
{
	return &m[atomic_fetch_add(&turn, 1) % 2];
}
void *worker(void *arg)
{
	pthread_mutex_t *mine = some_lock();
	pthread_mutex_lock(mine);
	n++;
	pthread_mutex_unlock(mine);
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
