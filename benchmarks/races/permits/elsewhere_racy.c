/* Another unit gives the semaphore its count, which may be two. */
#include <pthread.h>
#include <semaphore.h>
extern sem_t s;
static int data;
static void *worker(void *a)
{
	sem_wait(&s);
	data++; // RACE!
	sem_post(&s);
	return a;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&t, 0, worker, 0);
	return 0;
}
