/*
 * main waits for a semaphore that a thread posts.
 *
 * termination: true, the thread posts it in any case.
 * no-deadlock: true, main can always go on in the end.
 */
#include <semaphore.h>
#include <pthread.h>
sem_t s;
void *worker(void *arg)
{
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
