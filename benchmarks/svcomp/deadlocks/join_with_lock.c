/*
 * Main joins a thread while it holds the mutex the thread needs.
 *
 * no-deadlock: false, if main takes the mutex first, the thread waits for main and main for the thread.
 * no-data-race: true, the counter is under the mutex.
 */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1;
	pthread_create(&t1, 0, worker, 0);
	pthread_mutex_lock(&m);
	n++;
	pthread_join(t1, 0);
	pthread_mutex_unlock(&m);
	return 0;
}
