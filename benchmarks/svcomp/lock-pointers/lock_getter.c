/*
 * A function yields the mutex of an index.
 *
 * unreach-call: true, the same index yields the same mutex, no increment is lost.
 * no-data-race: true, an element is under the mutex of its index.
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
pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
int n[2];
pthread_mutex_t *lock_of(int i)
{
	return &m[i];
}
void *worker(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(lock_of(i));
		n[i]++;
		pthread_mutex_unlock(lock_of(i));
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
	__VERIFIER_assert(n[0] == 2 && n[1] == 2);
	return 0;
}
