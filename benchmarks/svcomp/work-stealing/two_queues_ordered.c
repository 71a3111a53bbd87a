/*
 * Two workers with a queue each; a worker without work moves a task over, taking both mutexes in a fixed order.
 *
 * unreach-call: true, a task moves while both queues are locked, so the total of queued and done tasks stays 3.
 * no-data-race: true, a queue's length is under its mutex, done is atomic.
 * no-deadlock: true, the mutexes are always taken in the order 0, 1.
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
int queued[2] = { 3, 0 };
atomic_int done;
void *worker(void *arg)
{
	long me = (long)arg;
	pthread_mutex_lock(&m[0]);
	pthread_mutex_lock(&m[1]);
	if (queued[me] == 0 && queued[1 - me] > 0) {
		queued[1 - me]--;
		queued[me]++;
	}
	pthread_mutex_unlock(&m[1]);
	pthread_mutex_unlock(&m[0]);
	pthread_mutex_lock(&m[me]);
	if (queued[me] > 0) {
		queued[me]--;
		atomic_fetch_add(&done, 1);
	}
	pthread_mutex_unlock(&m[me]);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(queued[0] + queued[1] + atomic_load(&done) == 3);
	return 0;
}
