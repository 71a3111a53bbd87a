/*
 * Any number of threads raise a mark to their numbers: 0, 3 or 6.
 *
 * unreach-call: true, the mark is changed only where it still is what the thread has seen, so that it never falls.
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
int highest;
void *worker(void *arg)
{
	int mine = __VERIFIER_nondet_int();
	if (mine < 0 || mine > 6 || mine % 3 != 0)
		return 0;
	int old, done = 0;
	do {
		__VERIFIER_atomic_begin();
		old = highest;
		__VERIFIER_atomic_end();
		if (old >= mine)
			break;
		__VERIFIER_atomic_begin();
		if (highest != old) {
			__VERIFIER_atomic_end();
			continue;
		}
		highest = mine;
		done = 1;
		__VERIFIER_atomic_end();
	} while (!done);
	__VERIFIER_atomic_begin();
	int now = highest;
	__VERIFIER_atomic_end();
	__VERIFIER_assert(now >= mine);
	return 0;
}
int main(void)
{
	pthread_t t;
	while (1)
		pthread_create(&t, 0, worker, 0);
}
