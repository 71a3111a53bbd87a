/*
 * Each thread counts in a static variable of its function, which all threads share.
 *
 * unreach-call: false, another thread may count in between or before.
 * no-data-race: false, the threads read and write the one variable at once.
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
void *worker(void *arg)
{
	static int n;
	n++;
	n++;
	__VERIFIER_assert(n == 2);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
