/*
 * Two consumers wait with "if" for one item that is announced by a broadcast.
 *
 * unreach-call: false, both may be waiting when the broadcast comes; the second to get the mutex finds no item
 *   left.
 * no-data-race: true, the counter is touched under the mutex only.
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
int items;
void *producer(void *arg)
{
	pthread_mutex_lock(&m);
	items++;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	return 0;
}
void *consumer(void *arg)
{
	pthread_mutex_lock(&m);
	if (items == 0)
		pthread_cond_wait(&c, &m);
	__VERIFIER_assert(items > 0);
	items--;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, consumer, 0);
	pthread_create(&t2, 0, consumer, 0);
	pthread_create(&t3, 0, producer, 0);
	pthread_join(t3, 0);
	return 0;
}
