/*
 * A thread tests a flag under the mutex and waits in a loop; the flag is set under the mutex.
 *
 * no-deadlock: true, the flag cannot change between the test and the wait, so the signal finds the waiter or
 *   the flag stops it.
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
	pthread_t t1, t2;
	pthread_create(&t1, 0, waiter, 0);
	pthread_create(&t2, 0, waker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
