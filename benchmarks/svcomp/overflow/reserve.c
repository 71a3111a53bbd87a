/*
 * A thread tests whether one more fits and adds it in one critical section, two threads do.
 *
 * no-overflow: true, nobody adds to the greatest int.
 * no-data-race: true, the number is under the mutex.
 */
#include <limits.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n = INT_MAX - 1;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	if (n < INT_MAX)
		n++;
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
