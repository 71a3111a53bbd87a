/*
 * Two mutexes are taken in opposite order, but only by the holder of a third.
 *
 * no-deadlock: true, the holder of the gate is the only one that takes a or b, so it never waits for them.
 * no-data-race: true, nothing is shared but the mutexes.
 */
#include <pthread.h>
pthread_mutex_t g = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
void *first(void *arg)
{
	pthread_mutex_lock(&g);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&g);
	return 0;
}
void *second(void *arg)
{
	pthread_mutex_lock(&g);
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&g);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, first, 0);
	pthread_create(&t2, 0, second, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
