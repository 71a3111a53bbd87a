/*
 * The limit is checked in one critical section, the thread counts itself in the next.
 *
 * unreach-call: false, three threads may find none active, and then count themselves one after the other before
 *   any of them leaves.
 * no-data-race: true, the count is under the mutex.
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
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int active;
void *worker(void *arg)
{
	int in;
	pthread_mutex_lock(&m);
	in = active < 2;
	pthread_mutex_unlock(&m);
	if (in) {
		pthread_mutex_lock(&m);
		active++;
		__VERIFIER_assert(active <= 2);
		pthread_mutex_unlock(&m);
		pthread_mutex_lock(&m);
		active--;
		pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_bool())
		pthread_create(&t, 0, worker, 0);
	return 0;
}
