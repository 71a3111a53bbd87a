/*
 * The workers count down before they store their results.
 *
 * unreach-call: false, main may pass the latch and find a result still 0.
 * no-data-race: false, a store after the countdown and main's read are not ordered.
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
	pthread_mutex_lock(&m);
	left--;
	if (left == 0)
		pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	result[i] = 10;
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
