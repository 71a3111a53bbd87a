/*
 * A semaphore that starts at 0 tells that data are there.
 *
 * unreach-call: true, the wait returns after the post, which comes after the data.
 * no-data-race: true, the post orders the write before the read.
 */
#include <semaphore.h>
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
sem_t s;
int data;
void *producer(void *arg)
{
	data = 3;
	sem_post(&s);
	return 0;
}
void *consumer(void *arg)
{
	sem_wait(&s);
	__VERIFIER_assert(data == 3);
	return 0;
}
int main(void)
{
	sem_init(&s, 0, 0);
	pthread_t t1, t2;
	pthread_create(&t1, 0, producer, 0);
	pthread_create(&t2, 0, consumer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
