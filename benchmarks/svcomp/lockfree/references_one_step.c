/*
 * Two owners of an object drop their references with a subtraction that tells the old count.
 *
 * unreach-call: true, exactly one subtraction sees the old count 1, so the object is torn down once.
 * no-data-race: true, the count is atomic, and only the one that saw 1 writes "torn".
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
atomic_int refs = 2;
int torn;
void *owner(void *arg)
{
	if (atomic_fetch_sub(&refs, 1) == 1)
		torn++;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, owner, 0);
	pthread_create(&t2, 0, owner, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(torn == 1);
	return 0;
}
