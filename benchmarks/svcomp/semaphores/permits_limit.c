/*
 * Three threads share two permits; inside they count themselves atomically.
 *
 * unreach-call: true, at most two hold a permit, so at most two are counted.
 * no-data-race: true, the count is atomic.
 */
#include <semaphore.h>
#include <pthread.h>
#include <stdatomic.h>
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
atomic_int inside;
void *worker(void *arg)
{
	sem_wait(&s);
	int k = atomic_fetch_add(&inside, 1) + 1;
	__VERIFIER_assert(k <= 2);
	atomic_fetch_sub(&inside, 1);
	sem_post(&s);
	return 0;
}
int main(void)
{
	sem_init(&s, 0, 2);
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_create(&t3, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
