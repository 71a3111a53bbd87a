/*
 * A consumer waits in a loop until the producer has set a flag under the mutex.
 *
 * unreach-call: true, the consumer goes on only when ready is set, and data was written before, in the same
 *   critical section.
 * no-data-race: true, both variables are touched under the mutex only.
 */
#include <pthread.h>
extern void abort(void);
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, data;
void *producer(void *arg)
{
	pthread_mutex_lock(&m);
	data = 1;
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return 0;
}
void *consumer(void *arg)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	__VERIFIER_assert(data == 1);
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, producer, 0);
	pthread_create(&t2, 0, consumer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
