/*
 * A thread tries for the permit and counts in any case.
 *
 * unreach-call: false, a thread without the permit may lose the other's increment.
 * no-data-race: false, it writes the counter while the holder does.
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
	int got = sem_trywait(&s) == 0;
	n++;
	if (got)
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
