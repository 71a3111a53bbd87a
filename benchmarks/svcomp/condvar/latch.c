/*
 * Main waits on a latch until two workers have stored their results, and does not join them before.
 *
 * unreach-call: true, each worker counts down after it has stored, so at 0 both results are there.
 * no-data-race: true, a result is stored before its worker counts down under the mutex, and read after main saw
 *   0 under the mutex.
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
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int left = 2, result[2];
void *worker(void *arg)
{
	long i = (long)arg;
	result[i] = 10;
	pthread_mutex_lock(&m);
	left--;
	if (left == 0)
		pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_mutex_lock(&m);
	while (left > 0)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	__VERIFIER_assert(result[0] + result[1] == 20);
	return 0;
}
