/*
 * Two threads take a mutex, and one more time where another thread has been there.
 *
 * termination: false, the second thread waits for itself.
 * no-deadlock: false, the second thread waits for itself, and main for it.
 */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	if (n++ > 0)
		pthread_mutex_lock(&m);
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
