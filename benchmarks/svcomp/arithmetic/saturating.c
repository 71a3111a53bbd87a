/*
 * Threads increment unless the largest value is reached, test and increment in one critical section.
 *
 * unreach-call: true, the counter only grows.
 * no-data-race: true, the counter is under the mutex.
 * no-overflow: true, an increment happens only below the largest value.
 */
#include <limits.h>
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
int n;
void *worker(void *arg)
{
	while (__VERIFIER_nondet_bool()) {
		pthread_mutex_lock(&m);
		if (n < INT_MAX)
			n++;
		__VERIFIER_assert(n > 0);
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
	return 0;
}
