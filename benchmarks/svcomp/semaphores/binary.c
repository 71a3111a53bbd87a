/*
 * A semaphore that starts at 1 serves as a lock.
 *
 * unreach-call: true, the semaphore lets one thread in at a time, no increment is lost.
 * no-data-race: true, the counter is touched between wait and post; a post orders what follows the wait it
 *   allows.
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
int n;
void *worker(void *arg)
{
	sem_wait(&s);
	n++;
	sem_post(&s);
	return 0;
}
int main(void)
{
	sem_init(&s, 0, 1);
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
