// A producer gives numbered jobs to two workers, which add up what they have done.
// With -D RACY, a worker looks at the number of jobs before it takes the lock.
#include <pthread.h>
#include <stdio.h>

#define JOBS 2

static struct {
	pthread_mutex_t lock;
	pthread_cond_t more;
	int waiting; // jobs that nobody has taken
	int over;    // there will be no more
	long done;
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};

static void *worker(void *unused)
{
	(void)unused;
	for (;;) {
#ifdef RACY
		if (pool.waiting == 0 && pool.over) // RACE!
			return NULL;
#endif
		pthread_mutex_lock(&pool.lock);
		while (pool.waiting == 0 && !pool.over)
			pthread_cond_wait(&pool.more, &pool.lock);
		if (pool.waiting == 0) {
			pthread_mutex_unlock(&pool.lock);
			return NULL;
		}
		pool.waiting--; // RACE! if RACY
		pool.done++;
		pthread_mutex_unlock(&pool.lock);
	}
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, worker, NULL) != 0)
			return 1;
	for (int i = 0; i < JOBS; i++) {
		pthread_mutex_lock(&pool.lock);
		pool.waiting++; // RACE! if RACY
		pthread_cond_signal(&pool.more);
		pthread_mutex_unlock(&pool.lock);
	}
	pthread_mutex_lock(&pool.lock);
	pool.over = 1; // RACE! if RACY
	pthread_cond_broadcast(&pool.more);
	pthread_mutex_unlock(&pool.lock);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%ld jobs are done\n", pool.done);
	return 0;
}
