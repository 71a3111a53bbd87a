/*
 * A thread looks at a flag outside the mutex and then waits; the signal may come in between.
 *
 * no-deadlock: false, the waker may set the flag and signal after the look and before the wait, and never
 *   signals again (a wakeup without a signal is not relied on).
 * no-data-race: true, the flag is atomic.
 */
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
atomic_int ready;
void *waiter(void *arg)
{
	if (!atomic_load(&ready)) {
		pthread_mutex_lock(&m);
		pthread_cond_wait(&c, &m);
		pthread_mutex_unlock(&m);
	}
	return 0;
}
void *waker(void *arg)
{
	atomic_store(&ready, 1);
	pthread_mutex_lock(&m);
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
