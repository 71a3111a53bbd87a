/* The semaphore is a copy of one that counts from 1. */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
static sem_t ready, one;
static int data;
static void *producer(void *a)
{
	data = 42; // RACE!
	sem_post(&ready);
	return a;
}
static void *consumer(void *a)
{
	sem_wait(&ready);
	return data == 42 ? a : &data; // RACE!
}
int main(void)
{
	pthread_t t, u;
	sem_init(&one, 0, 1);
	memcpy(&ready, &one, sizeof ready);
	pthread_create(&t, 0, producer, 0);
	pthread_create(&u, 0, consumer, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
