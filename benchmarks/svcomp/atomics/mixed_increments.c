/*
 * One thread adds atomically, the other with a plain increment.
 *
 * unreach-call: false, the plain increment may read 0, then the atomic addition makes 1, then the plain one
 *   stores 1.
 * no-data-race: false, the plain accesses conflict with the atomic addition and nothing orders them.
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
int n;
void *atomic_side(void *arg)
{
	__atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
	return 0;
}
void *plain_side(void *arg)
{
	n++;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, atomic_side, 0);
	pthread_create(&t2, 0, plain_side, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
