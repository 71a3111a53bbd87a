/* A reader posts that has not waited. */
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static int data;
static void *reader(void *a)
{
	sem_trywait(&s);
	int v = data; // RACE!
	sem_post(&s);
	return v ? a : 0;
}
static void *writer(void *a)
{
	sem_wait(&s);
	if (!sem_trywait(&s)) {
		data++; // RACE!
		sem_post(&s);
	}
	sem_post(&s);
	return a;
}
int main(void)
{
	pthread_t t;
	sem_init(&s, 0, 2);
	pthread_create(&t, 0, reader, &data);
	pthread_create(&t, 0, writer, 0);
	pthread_create(&t, 0, writer, 0);
	return 0;
}
