/* A thread writes a count into the semaphore that others use as a lock. */
#include <pthread.h>
#include <semaphore.h>
static sem_t lock;
static int n;
static void *worker(void *a)
{
	sem_wait(&lock);
	n++; // RACE!
	sem_post(&lock);
	return a;
}
static void *writer(void *a)
{
	*(int *)&lock = 2;
	return a;
}
int main(void)
{
	pthread_t t, u, v;
	sem_init(&lock, 0, 1);
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_create(&v, 0, writer, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(v, 0);
	return n; // NORACE
}
