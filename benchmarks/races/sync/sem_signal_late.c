/* What comes after the first post is not ordered by the second. */
#include <pthread.h>
#include <semaphore.h>
static sem_t ready;
static int data;
static void *producer(void *a)
{
	sem_post(&ready);
	data = 42; // RACE!
	sem_post(&ready);
	return a;
}
static void *consumer(void *a)
{
	sem_wait(&ready);
	if (data != 42) // RACE!
		return &data;
	return a;
}
int main(void)
{
	pthread_t t, u, v;
	sem_init(&ready, 0, 0);
	pthread_create(&t, 0, producer, 0);
	pthread_create(&u, 0, consumer, 0);
	pthread_create(&v, 0, consumer, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(v, 0);
	return data; // NORACE
}
