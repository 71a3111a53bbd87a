/*
 * Threads shift a one to the left, each by one place more than the one before.
 *
 * no-overflow: false, the second thread shifts the one to the place of the sign: 2 to the power of 31 does not
 * fit.
 * no-data-race: true, the places are counted under the mutex.
 */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int places = 30, mask;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	if (places < 32)
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
