/*
 * Any number of threads take a mutex by trying, and give up where it is not free.
 *
 * unreach-call: true, who got the mutex is alone between the two stores.
 * no-data-race: true, all accesses hold the mutex.
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
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int busy;
void *worker(void *arg)
{
	if (pthread_mutex_trylock(&m) != 0)
		return 0;
	__VERIFIER_assert(!busy);
	busy = 1;
	busy = 0;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_bool())
		pthread_create(&t, 0, worker, 0);
	return 0;
}
