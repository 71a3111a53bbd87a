/*
 * Any number of threads draw numbers, and the one that finds itself alone keeps two counters.
 *
 * unreach-call: false, a leader puts its number back and leaves the total behind.
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
unsigned drawn, total;
void *worker(void *arg)
{
	unsigned own = 0;
	__VERIFIER_atomic_begin();
	drawn++;
	__VERIFIER_atomic_end();
	if (drawn != 1)
		return 0;
	total = total + 1;
	own = own + 1;
	__VERIFIER_assert(total == own);
	__VERIFIER_atomic_begin();
	drawn--;
	__VERIFIER_atomic_end();
	return 0;
}
int main(void)
{
	pthread_t t;
	while (1)
		pthread_create(&t, 0, worker, 0);
}
