/*
 * Two threads take two mutexes in one order.
 *
 * termination: true, there are no loops, and nobody waits for ever.
 * no-deadlock: true, the order is the same.
 */
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int n;
void *left(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	n++;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return 0;
}
void *right(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	n++;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, left, 0);
	pthread_create(&t2, 0, right, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
