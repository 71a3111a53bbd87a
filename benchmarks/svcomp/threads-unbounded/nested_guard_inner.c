/*
 * Any number of threads raise and lower a counter in two steps, each under an inner mutex, both under an outer one, which
 * the assertion does not take.
 *
 * unreach-call: false, a thread that has the inner mutex alone may find another between its two steps.
 * no-data-race: true, all accesses hold the inner mutex.
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
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
int n;
void add(int k)
{
	pthread_mutex_lock(&inner);
	n += k;
	pthread_mutex_unlock(&inner);
}
void *worker(void *arg)
{
	if (__VERIFIER_nondet_bool()) {
		pthread_mutex_lock(&outer);
		add(1);
		add(-1);
		pthread_mutex_unlock(&outer);
	} else {
		pthread_mutex_lock(&inner);
		__VERIFIER_assert(n == 0);
		pthread_mutex_unlock(&inner);
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
