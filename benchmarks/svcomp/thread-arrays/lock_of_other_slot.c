/*
 * Four threads share two slots, but the mutex is chosen by the other half of the number.
 *
 * unreach-call: false, threads 0 and 2 use slot 0 under different mutexes: an increment may be lost.
 * no-data-race: false, threads 0 and 2 write slot 0 at once.
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
	long l = (long)arg / 2;
	pthread_mutex_lock(&m[l]);
	a[s]++;
	pthread_mutex_unlock(&m[l]);
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
