/*
 * Each thread counts in a thread-local variable.
 *
 * unreach-call: true, a thread finds its own increments only.
 * no-data-race: true, every thread has its own instance of the variable.
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
_Thread_local int n;
void *worker(void *arg)
{
	n++;
	n++;
	__VERIFIER_assert(n == 2);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 0);
	return 0;
}
