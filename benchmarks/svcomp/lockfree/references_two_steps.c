/*
 * Two owners drop their references and then look at the count in a second step.
 *
 * unreach-call: false, both may subtract before either looks; both find 0 and tear the object down.
 * no-data-race: false, in that execution both write "torn" with nothing between them.
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
	atomic_fetch_sub(&refs, 1);
	if (atomic_load(&refs) == 0)
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
