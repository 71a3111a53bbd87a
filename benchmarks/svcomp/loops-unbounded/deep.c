/*
 * A counter that an unbounded loop raises is believed to stay below 20.
 *
 * unreach-call: false, twenty rounds of the two threads together reach 20; fewer do not.
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
int n;
void *worker(void *arg)
{
	while (__VERIFIER_nondet_bool()) {
		pthread_mutex_lock(&m);
		if (n < 100)
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
	pthread_mutex_lock(&m);
	__VERIFIER_assert(n < 20);
	pthread_mutex_unlock(&m);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
