/*
 * Lock, access and unlock all depend on the same unknown value of the thread.
 *
 * unreach-call: true, who counts holds the mutex; the count is at most 2.
 * no-data-race: true, the counter is touched only where the mutex was taken.
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
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void *worker(void *arg)
{
	int wanted = __VERIFIER_nondet_bool();
	if (wanted)
		pthread_mutex_lock(&m);
	if (wanted)
		n++;
	if (wanted)
		pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n >= 0 && n <= 2);
	return 0;
}
