/*
 * Any number of threads break an invariant under a mutex, and mend it after they have released it for a moment.
 *
 * unreach-call: false, a second thread takes the mutex while the first has debit at 5.
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
int debit;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	__VERIFIER_assert(debit == 0);
	debit = 5;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	debit = 0;
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
