/*
 * A function takes a mutex that its caller holds; the mutex is of the normal kind.
 *
 * no-deadlock: false, the thread waits for itself.
 * no-data-race: true, all accesses hold the mutex.
 */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void add(void)
{
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
}
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	if (n == 0)
		add();
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
