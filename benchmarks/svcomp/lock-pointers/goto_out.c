/*
 * Error paths leave by a label that releases the mutex.
 *
 * unreach-call: true, the mutex is held at every access, and the value never falls below 0.
 * no-data-race: true, all accesses hold the mutex on every path.
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
	pthread_mutex_lock(&m);
	if (__VERIFIER_nondet_bool())
		goto out;
	n++;
	if (__VERIFIER_nondet_bool())
		goto out;
	n--;
out:
	__VERIFIER_assert(n >= 0);
	pthread_mutex_unlock(&m);
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
