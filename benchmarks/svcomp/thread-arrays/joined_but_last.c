/*
 * Main joins all threads but the last and reads all results.
 *
 * unreach-call: false, the last result may not be there yet.
 * no-data-race: false, the last thread's write and main's read are not ordered.
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
	a[i] = 1;
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < N - 1; i++)
		pthread_join(t[i], 0);
	__VERIFIER_assert(a[0] + a[1] + a[2] == 3);
	return 0;
}
