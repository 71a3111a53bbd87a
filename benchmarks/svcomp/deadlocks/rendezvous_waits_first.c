/*
 * Two threads meet by two semaphores, each waits before it posts.
 *
 * no-deadlock: false, both wait, nobody posts, in every execution.
 * no-data-race: true, no thread gets past its wait.
 */
#include <semaphore.h>
#include <pthread.h>
sem_t here[2];
int v;
void *worker(void *arg)
{
	long me = (long)arg;
	sem_wait(&here[1 - me]);
	v++;
	sem_post(&here[me]);
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
