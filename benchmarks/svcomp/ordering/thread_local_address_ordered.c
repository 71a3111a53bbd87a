/*
 * A thread hands the address of its thread-local variable to another thread and waits for it.
 *
 * unreach-call: true, the helper has stored when the join returns.
 * no-data-race: true, creation and join order the accesses to the instance of main.
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
	n = 9;
	return 0;
}
int main(void)
{
	n = 1;
	pthread_t t1;
	pthread_create(&t1, 0, helper, &n);
	pthread_join(t1, 0);
	__VERIFIER_assert(n == 7);
	return 0;
}
