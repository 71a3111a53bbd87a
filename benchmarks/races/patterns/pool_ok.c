/* A thread pool: jobs are taken from a list under a lock, results added under another. */
#include <pthread.h>
#include <stdlib.h>
struct job { struct job *next; int in; };
static struct pool {
	pthread_mutex_t lock;
	struct job *jobs;
	pthread_mutex_t result_lock;
	long sum;
	int done;
} pool = { PTHREAD_MUTEX_INITIALIZER, 0, PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static struct job *take(void)
{
	pthread_mutex_lock(&pool.lock);
	struct job *j = pool.jobs; // NORACE
	if (j)
		pool.jobs = j->next; // NORACE
	pthread_mutex_unlock(&pool.lock);
	return j;
}
static void *worker(void *arg)
{
	struct job *j;
	while ((j = take())) {
		long r = (long)j->in * 2;
		pthread_mutex_lock(&pool.result_lock);
		pool.sum += r; // NORACE
		pool.done++; // NORACE
		pthread_mutex_unlock(&pool.result_lock);
	}
	return arg;
}
int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 10; i++) {
		struct job *j = malloc(sizeof *j);
		if (!j)
			return 1;
		j->in = i;
		j->next = pool.jobs; // NORACE
		pool.jobs = j; // NORACE
	}
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, worker, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return pool.sum == 90 && pool.done == 10; // NORACE
}
