/*
 * A helper counts a task as done when it takes it, before the result is there.
 *
 * unreach-call: false, main may find none pending and a result missing.
 * no-data-race: false, the store of the result and main's read are not ordered.
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
	atomic_fetch_sub(&pending, 1);
	result[i] = 3;
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
