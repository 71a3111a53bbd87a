/*
 * main waits for a semaphore that a thread posts where an input says so.
 *
 * termination: false, where it is not posted, main waits for ever.
 * no-deadlock: false, main waits when the thread has ended.
 */
#include <semaphore.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
sem_t s;
void *worker(void *arg)
{
	if (__VERIFIER_nondet_int())
		sem_post(&s);
	return 0;
}
int main(void)
{
	pthread_t t;
	sem_init(&s, 0, 0);
	pthread_create(&t, 0, worker, 0);
	sem_wait(&s);
	pthread_join(t, 0);
	return 0;
}
