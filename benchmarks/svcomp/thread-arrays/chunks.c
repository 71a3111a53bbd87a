/*
 * Each of three threads fills a chunk of two elements.
 *
 * unreach-call: true, chunk k is filled with k by thread k only.
 * no-data-race: true, the chunks do not overlap, main reads after all joins.
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
#define CHUNK 2
int a[N * CHUNK];
void *worker(void *arg)
{
	int k = (int)(long)arg;
	for (int i = k * CHUNK; i < (k + 1) * CHUNK; i++)
		a[i] = k;
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (long k = 0; k < N; k++)
		pthread_create(&t[k], 0, worker, (void *)k);
	for (int k = 0; k < N; k++)
		pthread_join(t[k], 0);
	for (int i = 0; i < N * CHUNK; i++)
		__VERIFIER_assert(a[i] == i / CHUNK);
	return 0;
}
