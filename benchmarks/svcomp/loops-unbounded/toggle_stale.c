/*
 * The value to flip is read in one critical section and used in the next, as an offset.
 *
 * unreach-call: false, both threads may read 0 and each add one: the variable becomes 2.
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
		int step;
		pthread_mutex_lock(&m);
		step = x == 0 ? 1 : -1;
		pthread_mutex_unlock(&m);
		pthread_mutex_lock(&m);
		x += step;
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
		int v = x;
		pthread_mutex_unlock(&m);
		__VERIFIER_assert(v == 0 || v == 1);
	}
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
