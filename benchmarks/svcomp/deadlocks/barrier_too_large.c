/*
 * Two threads wait at a barrier that is made for three.
 *
 * no-deadlock: false, the third never comes.
 * no-data-race: true, nothing is shared but the barrier.
 */
#define _GNU_SOURCE
#include <pthread.h>
pthread_barrier_t b;
void *worker(void *arg)
{
	pthread_barrier_wait(&b);
	return 0;
}
int main(void)
{
	pthread_barrier_init(&b, 0, 3);
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
