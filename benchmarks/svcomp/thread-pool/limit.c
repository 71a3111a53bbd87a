/*
 * Any number of threads; at most two may be active, which is checked and counted in one critical section.
 *
 * unreach-call: true, a thread becomes active only when it finds fewer than two, in the section in which it
 *   counts itself.
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
	int in = 0;
	pthread_mutex_lock(&m);
	if (active < 2) {
		active++;
		in = 1;
	}
	__VERIFIER_assert(active <= 2);
	pthread_mutex_unlock(&m);
	if (in) {
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
