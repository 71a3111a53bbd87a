/*
 * Two threads square a number three times each, under a mutex.
 *
 * no-overflow: false, 2 squared six times is 2 to the power of 64; the fifth time does not fit an int.
 * no-data-race: true, the number is under the mutex.
 */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n = 2;
void *worker(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m);
		n = n * n;
		pthread_mutex_unlock(&m);
	}
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
