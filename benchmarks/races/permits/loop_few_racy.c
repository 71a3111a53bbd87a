/* The writer waits once less. */
#include <pthread.h>
#include <semaphore.h>
#define N 3
static sem_t s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int data;
static void *reader(void *a)
{
	sem_wait(&s);
	int v = data; // RACE!
	sem_post(&s);
	return v ? a : 0;
}
static void *writer(void *a)
{
	pthread_mutex_lock(&m);
	for (int i = 0; i < N - 1; i++)
		sem_wait(&s);
	data++; // RACE!
	for (int i = 0; i < N; i++)
		sem_post(&s);
	pthread_mutex_unlock(&m);
	return a;
}
int main(void)
{
	pthread_t t;
	sem_init(&s, 0, N);
	for (int i = 0; i < 2; i++) {
		pthread_create(&t, 0, reader, &data);
		pthread_create(&t, 0, writer, 0);
	}
	return 0;
}
