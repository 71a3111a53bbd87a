/*
 * The producer does not wait for the slot to become empty.
 *
 * unreach-call: false, it may write its second number before the consumer took the first; the consumer then
 *   finds 1 instead of 0.
 * no-data-race: true, slot and flag are touched under the mutex only.
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
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
int full, slot;
void *producer(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		slot = i;
		full = 1;
		pthread_cond_signal(&not_empty);
		pthread_mutex_unlock(&m);
	}
	return 0;
}
void *consumer(void *arg)
{
	pthread_mutex_lock(&m);
	while (!full)
		pthread_cond_wait(&not_empty, &m);
	__VERIFIER_assert(slot == 0);
	full = 0;
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
