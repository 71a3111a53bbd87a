/*
 * A thread hands the address of its thread-local variable to another thread.
 *
 * unreach-call: false, the helper may store 7 between the two steps of its creator.
 * no-data-race: false, creator and helper use the same instance at once.
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
void *helper(void *arg)
{
	*(int *)arg = 7;
	return 0;
}
int main(void)
{
	pthread_t t1;
	pthread_create(&t1, 0, helper, &n);
	n = 1;
	__VERIFIER_assert(n == 1);
	pthread_join(t1, 0);
	return 0;
}
