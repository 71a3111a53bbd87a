/*
 * A lock word is taken by an atomic exchange and released by a plain store.
 *
 * unreach-call: true, the exchange lets one thread in, and the store comes after the increment.
 * no-data-race: false, the plain store and the exchange of a waiting thread conflict.
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
int word, n;
void *worker(void *arg)
{
	while (__atomic_exchange_n(&word, 1, __ATOMIC_SEQ_CST))
		;
	n++;
	word = 0;
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
