/*
 * Any number of threads raise a counter of eight bits by compare and exchange, and do not mind that it wraps around.
 *
 * unreach-call: false, the counter is 0 after 256 additions, and no more than what a thread replaced.
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
unsigned char n = 254;
void *worker(void *arg)
{
	unsigned char old;
	_Bool done = 0;
	do {
		__VERIFIER_atomic_begin();
		old = n;
		__VERIFIER_atomic_end();
		__VERIFIER_atomic_begin();
		if (n == old) {
			n = old + 1;
			done = 1;
		}
		__VERIFIER_atomic_end();
	} while (!done);
	__VERIFIER_atomic_begin();
	unsigned char now = n;
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
