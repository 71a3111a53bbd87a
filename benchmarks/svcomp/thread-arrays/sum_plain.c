/*
 * Four threads add their numbers to one sum without a mutex.
 *
 * unreach-call: false, an addition may be lost.
 * no-data-race: false, the threads read and write the sum at once.
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
long sum;
void *worker(void *arg)
{
	sum += (long)arg;
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	__VERIFIER_assert(sum == 6);
	return 0;
}
