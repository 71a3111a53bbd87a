/*
 * Two threads raise a counter n times each without a mutex, n unknown.
 *
 * unreach-call: false, with n = 1 one increment may be lost: 1 instead of 2.
 * no-data-race: false, the threads' accesses have no order and no lock, for any n above 0.
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
extern unsigned int __VERIFIER_nondet_uint(void);
unsigned n, total;
void *worker(void *arg)
{
	for (unsigned i = 0; i < n; i++)
		total++;
	return 0;
}
int main(void)
{
	n = __VERIFIER_nondet_uint();
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(total == 2 * n);
	return 0;
}
