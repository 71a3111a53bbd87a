/* A semaphore as a signal: the data is ready when it is posted. */
#include <pthread.h>
#include <semaphore.h>
static sem_t ready;
static int data;
static void *producer(void *a)
{
	data = 42; // NORACE
	sem_post(&ready);
	return a;
}
static void *consumer(void *a)
{
	sem_wait(&ready);
	return (void *)(long)data; // NORACE
}
int main(void)
{
	pthread_t t, u;
	sem_init(&ready, 0, 0);
	pthread_create(&t, 0, producer, 0);
	pthread_create(&u, 0, consumer, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
