/*
 * Test and increment are in two critical sections.
 *
 * no-overflow: false, two threads may both find the counter one below the largest value, and both increment.
 * no-data-race: true, the counter is under the mutex.
 */
#include <limits.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n = INT_MAX - 1;
void *worker(void *arg)
{
	int room;
	pthread_mutex_lock(&m);
	room = n < INT_MAX;
	pthread_mutex_unlock(&m);
	if (room) {
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
