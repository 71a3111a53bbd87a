/*
 * Two threads count one number up to a limit, under a mutex.
 *
 * termination: true, every iteration but the last one of each thread counts up, and nobody counts down.
 * no-data-race: true, the number is under the mutex.
 */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void *worker(void *arg)
{
	int more = 1;
	while (more) {
		pthread_mutex_lock(&m);
		if (n < 3)
			n++;
		else
			more = 0;
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
