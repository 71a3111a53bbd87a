/* A binary semaphore that one path posts twice: then two threads get in. */
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static int n;
static void *worker(void *a)
{
	for (int i = 0; i < 100000; i++) {
		sem_wait(&s);
		n++; // RACE!
		if (i % 10 == 0) {
			n--; // RACE!
			sem_post(&s);
			sem_post(&s);
			continue;
		}
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
