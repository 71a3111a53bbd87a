/*
 * Two threads post the same semaphore, the consumer needs the data of the first.
 *
 * unreach-call: false, the post of the second thread may let the consumer go on before the first has written.
 * no-data-race: false, then nothing orders the first thread's write and the read.
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
void *other(void *arg)
{
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
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, producer, 0);
	pthread_create(&t2, 0, other, 0);
	pthread_create(&t3, 0, consumer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
