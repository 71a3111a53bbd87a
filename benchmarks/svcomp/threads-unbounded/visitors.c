/*
 * Any number of visitors, bounded by an input, are counted when they come in and when they go out.
 *
 * unreach-call: true, a visitor who has come in and has not gone out is one of the difference.
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
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
int in, out;
void *visitor(void *arg)
{
	__VERIFIER_atomic_begin();
	in++;
	__VERIFIER_atomic_end();
	__VERIFIER_atomic_begin();
	__VERIFIER_assert(out < in);
	__VERIFIER_atomic_end();
	__VERIFIER_atomic_begin();
	out++;
	__VERIFIER_atomic_end();
	return 0;
}
int main(void)
{
	pthread_t t;
	int i, n = __VERIFIER_nondet_int();
	for (i = 0; i < n; i++)
		pthread_create(&t, 0, visitor, 0);
	return 0;
}
