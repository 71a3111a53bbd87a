/* A semaphore with the value 1, taken by sem_trywait: the post is only by the one who got it. */
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static int n;
static void *worker(void *a)
{
	for (int i = 0; i < 100000; i++) {
		if (sem_trywait(&s))
			continue;
		n++; // NORACE
		sem_post(&s);
	}
	return a;
}
int main(void)
{
	pthread_t t, u;
	sem_init(&s, 0, 1);
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return n; // NORACE
}
