/*
 * Two threads meet by two semaphores, each posts before it waits.
 *
 * no-deadlock: true, both posts come before both waits can block for good.
 * no-data-race: true, each thread writes before its post and reads the other's value after its wait.
 * unreach-call: true, after the wait the other's value is there.
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
sem_t here[2];
int v[2];
void *worker(void *arg)
{
	long me = (long)arg;
	v[me] = 1;
	sem_post(&here[me]);
	sem_wait(&here[1 - me]);
	__VERIFIER_assert(v[1 - me] == 1);
	return 0;
}
int main(void)
{
	sem_init(&here[0], 0, 0);
	sem_init(&here[1], 0, 0);
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
