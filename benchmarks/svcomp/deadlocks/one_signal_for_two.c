/*
 * Two threads wait for a flag, the waker signals once.
 *
 * no-deadlock: false, if both wait already, the signal wakes one and the other waits for ever.
 * no-data-race: true, the flag is under the mutex.
 */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *waiter(void *arg)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return 0;
}
void *waker(void *arg)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, waiter, 0);
	pthread_create(&t2, 0, waiter, 0);
	pthread_create(&t3, 0, waker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
