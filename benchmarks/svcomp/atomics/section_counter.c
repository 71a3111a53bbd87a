/*
 * Two threads increment a plain counter inside atomic sections.
 *
 * unreach-call: true, a section runs without interruption, so no increment is lost.
 * no-data-race: true, sections exclude each other, and main reads after both joins.
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
int n;
void *worker(void *arg)
{
	__VERIFIER_atomic_begin();
	n++;
	__VERIFIER_atomic_end();
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
