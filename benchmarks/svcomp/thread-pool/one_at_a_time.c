/*
 * Main joins each thread before it creates the next one.
 *
 * unreach-call: true, the threads run one after the other, so the plain counter follows main's.
 * no-data-race: true, each thread's access lies between its creation and its join, which order it with all
 *   others.
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
unsigned n;
void *worker(void *arg)
{
	n++;
	return 0;
}
int main(void)
{
	unsigned made = 0;
	while (__VERIFIER_nondet_bool()) {
		pthread_t t;
		pthread_create(&t, 0, worker, 0);
		pthread_join(t, 0);
		made++;
	}
	__VERIFIER_assert(n == made);
	return 0;
}
