/*
 * A thread joins the one it created; main joins only the first.
 *
 * unreach-call: true, when main goes on, the inner thread has ended.
 * no-data-race: true, the two joins order the inner write before main's read.
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
	pthread_join(t, 0);
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
