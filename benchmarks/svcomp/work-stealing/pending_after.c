/*
 * A helper counts a task as done after it stored the result; main uses the results when none is pending.
 *
 * unreach-call: true, none pending means that both results are there.
 * no-data-race: true, the atomic count orders the results before main's reads.
 */
#include <pthread.h>
#include <stdatomic.h>
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
atomic_int pending = 2;
int result[2];
void *helper(void *arg)
{
	long i = (long)arg;
	result[i] = 3;
	atomic_fetch_sub(&pending, 1);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, helper, (void*)0);
	pthread_create(&t2, 0, helper, (void*)1);
	while (atomic_load(&pending) > 0)
		;
	__VERIFIER_assert(result[0] + result[1] == 6);
	return 0;
}
