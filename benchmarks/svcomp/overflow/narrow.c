/*
 * Two threads count in a signed char up to where it wraps around.
 *
 * no-overflow: true, the sum is computed as an int and fits it; only the conversion back changes it, which is no
 * operation.
 * no-data-race: true, the counter is under the mutex.
 */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
signed char n = 126;
void *worker(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m);
		n++;
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
