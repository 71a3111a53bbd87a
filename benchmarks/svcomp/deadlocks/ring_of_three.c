/*
 * Three threads each take the mutex of their own number and then the next one, around a ring.
 *
 * no-deadlock: false, each may hold its first mutex and wait for the next.
 * no-data-race: true, nothing is shared but the mutexes.
 */
#include <pthread.h>
pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
void *w0(void *arg)
{
	pthread_mutex_lock(&m0);
	pthread_mutex_lock(&m1);
	pthread_mutex_unlock(&m1);
	pthread_mutex_unlock(&m0);
	return 0;
}
void *w1(void *arg)
{
	pthread_mutex_lock(&m1);
	pthread_mutex_lock(&m2);
	pthread_mutex_unlock(&m2);
	pthread_mutex_unlock(&m1);
	return 0;
}
void *w2(void *arg)
{
	pthread_mutex_lock(&m2);
	pthread_mutex_lock(&m0);
	pthread_mutex_unlock(&m0);
	pthread_mutex_unlock(&m2);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, w0, 0);
	pthread_create(&t2, 0, w1, 0);
	pthread_create(&t3, 0, w2, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
