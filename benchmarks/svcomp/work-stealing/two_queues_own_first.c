/*
 * Each worker takes the mutex of its own queue first and then that of its victim.
 *
 * unreach-call: true, a task moves while both queues are locked: the total stays 2.
 * no-data-race: true, a queue's length is under its mutex.
 * no-deadlock: false, each worker may hold its own mutex and wait for the other's.
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
int queued[2] = { 1, 1 };
void *worker(void *arg)
{
	long me = (long)arg;
	pthread_mutex_lock(&m[me]);
	pthread_mutex_lock(&m[1 - me]);
	if (queued[1 - me] > 0) {
		queued[1 - me]--;
		queued[me]++;
	}
	pthread_mutex_unlock(&m[1 - me]);
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
	__VERIFIER_assert(queued[0] + queued[1] == 2);
	return 0;
}
