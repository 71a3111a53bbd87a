/*
 * Two threads without a bound flip a variable between 0 and 1.
 *
 * unreach-call: true, each flip is whole under the mutex: 1 - 0 is 1 and 1 - 1 is 0.
 * no-data-race: true, all concurrent accesses hold the mutex.
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
int x;
void *worker(void *arg)
{
	while (__VERIFIER_nondet_bool()) {
		pthread_mutex_lock(&m);
		x = 1 - x;
		pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	while (__VERIFIER_nondet_bool()) {
		pthread_mutex_lock(&m);
		__VERIFIER_assert(x == 0 || x == 1);
		pthread_mutex_unlock(&m);
	}
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
