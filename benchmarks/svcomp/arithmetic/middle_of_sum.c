/*
 * A thread looks for the middle of a range by (low + high) / 2.
 *
 * no-overflow: false, low + high passes the largest int.
 * no-data-race: true, the range is under the mutex.
 */
#include <limits.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int low = INT_MAX - 10, high = INT_MAX;
int middle;
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
	middle = (low + high) / 2;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, shrinker, 0);
	pthread_create(&t2, 0, searcher, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
