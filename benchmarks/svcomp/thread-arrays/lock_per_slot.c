/*
 * Four threads share two slots, each slot with a mutex of its own.
 *
 * unreach-call: true, two threads increment each slot under its mutex, giving 2.
 * no-data-race: true, a slot is touched under the mutex of the same index.
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
pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
int a[2];
void *worker(void *arg)
{
	long s = (long)arg % 2;
	pthread_mutex_lock(&m[s]);
	a[s]++;
	pthread_mutex_unlock(&m[s]);
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	__VERIFIER_assert(a[0] == 2 && a[1] == 2);
	return 0;
}
