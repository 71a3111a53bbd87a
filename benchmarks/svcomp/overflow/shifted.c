/*
 * Threads shift a one to the left, each by one place more than the one before.
 *
 * no-overflow: true, the one gets to the thirtieth place at most, which is no sign bit.
 * no-data-race: true, the places are counted under the mutex.
 */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int places = 29, mask;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	if (places < 31)
		mask |= 1 << places++;
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
	return 0;
}
