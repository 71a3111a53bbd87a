/*
 * Two consumers wait in a loop for items; the producer makes two.
 *
 * unreach-call: true, who leaves the loop holds the mutex and has seen an item, so the count never becomes
 *   negative.
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
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		items++;
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
	}
	return 0;
}
void *consumer(void *arg)
{
	pthread_mutex_lock(&m);
	while (items == 0)
		pthread_cond_wait(&c, &m);
	items--;
	__VERIFIER_assert(items >= 0);
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, consumer, 0);
	pthread_create(&t2, 0, consumer, 0);
	pthread_create(&t3, 0, producer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
