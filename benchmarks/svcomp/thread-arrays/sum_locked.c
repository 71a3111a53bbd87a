/*
 * Four threads add their numbers to one sum under a mutex.
 *
 * unreach-call: true, no addition is lost: 0 + 1 + 2 + 3.
 * no-data-race: true, the sum is under the mutex until all threads are joined.
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
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
long sum;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	sum += (long)arg;
	pthread_mutex_unlock(&m);
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
