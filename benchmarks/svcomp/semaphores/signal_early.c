/*
 * The post comes before the data.
 *
 * unreach-call: false, the consumer may read before the write.
 * no-data-race: false, write and read are not ordered.
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
	sem_post(&s);
	data = 3;
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
