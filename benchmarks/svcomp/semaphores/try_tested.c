/*
 * A thread that does not get the permit leaves the counter alone.
 *
 * unreach-call: true, the first try finds a permit, each success adds one.
 * no-data-race: true, the counter is touched with the only permit.
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
	if (sem_trywait(&s) == 0) {
		n++;
		sem_post(&s);
	}
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
	__VERIFIER_assert(n == 1 || n == 2);
	return 0;
}
