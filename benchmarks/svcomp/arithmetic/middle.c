/*
 * A thread looks for the middle of a range that others may shrink, by low + (high - low) / 2.
 *
 * unreach-call: true, the middle lies in the range, as 0 <= low <= high holds whenever the mutex is free.
 * no-data-race: true, the range is under the mutex.
 * no-overflow: true, high - low does not pass high, and half of it added to low does not pass high either.
 */
#include <limits.h>
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
int low = INT_MAX - 10, high = INT_MAX;
void *shrinker(void *arg)
{
	pthread_mutex_lock(&m);
	if (low < high) {
		if (__VERIFIER_nondet_bool())
			low++;
		else
			high--;
	}
	pthread_mutex_unlock(&m);
	return 0;
}
void *searcher(void *arg)
{
	pthread_mutex_lock(&m);
	int mid = low + (high - low) / 2;
	__VERIFIER_assert(mid >= low && mid <= high);
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, shrinker, 0);
	pthread_create(&t2, 0, shrinker, 0);
	pthread_create(&t3, 0, searcher, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
