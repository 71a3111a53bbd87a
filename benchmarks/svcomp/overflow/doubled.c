/*
 * Two threads double a number four times each, under a mutex.
 *
 * no-overflow: true, the number is 1 at first and 256 at the end.
 * no-data-race: true, the number is under the mutex.
 */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n = 1;
void *worker(void *arg)
{
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&m);
		n = n * 2;
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
