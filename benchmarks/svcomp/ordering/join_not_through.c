/*
 * A thread creates another and ends without joining it; main joins only the first.
 *
 * unreach-call: false, the inner thread may not have written yet.
 * no-data-race: false, the inner write and main's read are not ordered.
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
int result;
void *inner(void *arg)
{
	result = 5;
	return 0;
}
void *outer(void *arg)
{
	pthread_t t;
	pthread_create(&t, 0, inner, 0);
	return 0;
}
int main(void)
{
	pthread_t t1;
	pthread_create(&t1, 0, outer, 0);
	pthread_join(t1, 0);
	__VERIFIER_assert(result == 5);
	return 0;
}
