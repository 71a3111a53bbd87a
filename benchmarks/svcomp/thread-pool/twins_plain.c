/*
 * Any number of threads raises two counters together without the mutex that main takes.
 *
 * unreach-call: false, main may look between the two increments of one thread.
 * no-data-race: false, the increments hold no lock: they conflict with main's reads and with those of other
 *   threads.
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
unsigned a, b;
void *worker(void *arg)
{
	a++;
	b++;
	return 0;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_bool())
		pthread_create(&t, 0, worker, 0);
	pthread_mutex_lock(&m);
	__VERIFIER_assert(a == b);
	pthread_mutex_unlock(&m);
	return 0;
}
