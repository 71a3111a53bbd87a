/*
 * Thread i uses element 2 * i modulo 4, which is 0 for threads 0 and 2.
 *
 * unreach-call: false, the increments of threads 0 and 2 may overlap, one is lost.
 * no-data-race: false, threads 0 and 2 write the same element at once.
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
#define N 4
int a[N];
void *worker(void *arg)
{
	long i = (long)arg;
	a[2 * i % N]++;
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	__VERIFIER_assert(a[0] == 2);
	return 0;
}
