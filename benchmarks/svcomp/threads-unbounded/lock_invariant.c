/*
 * Any number of threads break an invariant of two variables under a mutex, and mend it before they release it.
 *
 * unreach-call: true, whoever holds the mutex finds both variables equal to 0: each thread leaves them so.
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
int debit, credit;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	__VERIFIER_assert(debit == 0 && credit == 0);
	debit = 5;
	credit = -5;
	credit += 5;
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
