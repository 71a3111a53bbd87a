/*
 * Each thread writes its own element and reads that of its neighbour.
 *
 * unreach-call: true, the neighbour's element holds 0 or what the neighbour writes.
 * no-data-race: false, the neighbour may write its element while it is read.
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
#define N 3
int a[N];
void *worker(void *arg)
{
	long i = (long)arg;
	long j = (i + 1) % N;
	a[i] = (int)i + 1;
	int v = a[j];
	__VERIFIER_assert(v == 0 || v == j + 1);
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	return 0;
}
