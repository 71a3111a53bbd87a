/*
 * A semaphore that starts at 2 is used as a lock.
 *
 * unreach-call: false, both threads get in and may lose an increment.
 * no-data-race: false, both write the counter at once.
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
	sem_init(&s, 0, 2);
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
