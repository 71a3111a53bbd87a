/*
 * Any number of threads raise a counter by compare and exchange, up to the greatest number.
 *
 * unreach-call: true, the counter only grows, so that it stays above the number that a thread replaced.
 * no-data-race: true, all accesses are in atomic sections.
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
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
unsigned n;
void *worker(void *arg)
{
	unsigned old;
	_Bool done = 0;
	do {
		__VERIFIER_atomic_begin();
		old = n;
		__VERIFIER_atomic_end();
		if (old == 4294967295u)
			return 0;
		__VERIFIER_atomic_begin();
		if (n == old) {
			n = old + 1;
			done = 1;
		}
		__VERIFIER_atomic_end();
	} while (!done);
	__VERIFIER_atomic_begin();
	unsigned now = n;
	__VERIFIER_atomic_end();
	__VERIFIER_assert(now > old);
	return 0;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_bool())
		pthread_create(&t, 0, worker, 0);
	return 0;
}
