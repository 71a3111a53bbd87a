/* Semaphores with an initialiser of their own: whatever that is, it may be more than 1. */
#include <pthread.h>
#include <semaphore.h>
static sem_t lock = { { 2 } };
static int n;
static void *worker(void *a)
{
	sem_wait(&lock);
	n++; // RACE!
	sem_post(&lock);
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return n; // NORACE
}
