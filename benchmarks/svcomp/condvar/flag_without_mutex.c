/*
 * The producer sets the flag and signals without taking the mutex.
 *
 * unreach-call: true, data is stored before ready, so a consumer that saw ready finds data (one that missed the
 *   signal only waits).
 * no-data-race: false, the plain store of ready conflicts with the consumer's test, which alone holds the
 *   mutex.
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
	data = 1;
	ready = 1;
	pthread_cond_signal(&c);
	return 0;
}
void *consumer(void *arg)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	__VERIFIER_assert(data == 1);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, producer, 0);
	pthread_create(&t2, 0, consumer, 0);
	pthread_join(t1, 0);
	return 0;
}
