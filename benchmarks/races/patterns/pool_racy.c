/* A thread pool: the emptiness test and the statistics are outside of the lock. */
#include <pthread.h>
#include <stdlib.h>
struct job { struct job *next; int in; };
static struct pool {
	pthread_mutex_t lock;
	struct job *jobs;
	int done;
} pool = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static struct job *take(void)
{
	if (!pool.jobs) // RACE!
		return 0;
	pthread_mutex_lock(&pool.lock);
	struct job *j = pool.jobs; // NORACE
	if (j)
		pool.jobs = j->next; // RACE!
	pthread_mutex_unlock(&pool.lock);
	return j;
}
static void *worker(void *arg)
{
	while (take())
		pool.done++; // RACE!
	return arg;
}
int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 5; i++) {
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
	return pool.done; // NORACE
}
