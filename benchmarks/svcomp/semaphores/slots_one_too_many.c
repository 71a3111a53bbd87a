/*
 * The count of free slots starts one too high.
 *
 * unreach-call: false, the producer may fill the first slot again before it was read.
 * no-data-race: false, that write and the read are not ordered.
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
sem_t empty, filled;
int slot[2];
void *producer(void *arg)
{
	for (int i = 0; i < 3; i++) {
		sem_wait(&empty);
		slot[i % 2] = i;
		sem_post(&filled);
	}
	return 0;
}
void *consumer(void *arg)
{
	for (int i = 0; i < 3; i++) {
		sem_wait(&filled);
		__VERIFIER_assert(slot[i % 2] == i);
		sem_post(&empty);
	}
	return 0;
}
int main(void)
{
	sem_init(&empty, 0, 3);
	sem_init(&filled, 0, 0);
	pthread_t t1, t2;
	pthread_create(&t1, 0, producer, 0);
	pthread_create(&t2, 0, consumer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
