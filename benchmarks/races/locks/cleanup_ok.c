/* A lock that is released by the cleanup function of a variable, on every way out of its block. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, calls;

static void release(pthread_mutex_t **held)
{
	pthread_mutex_unlock(*held);
}

static pthread_mutex_t *take(pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	return m;
}

#define GUARD(m) pthread_mutex_t *guard_ __attribute__((cleanup(release))) = take(m)

static int count(int step)
{
	GUARD(&lock);
	calls++; // NORACE
	if (step < 0)
		return -1;
	counter += step; // NORACE
	return 0;
}

static void *worker(void *arg)
{
	for (int i = -1; i < 3; i++) {
		if (count(i) < 0)
			continue;
		GUARD(&lock);
		counter--; // NORACE
		counter++; // NORACE
	}
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, worker, 0);
	pthread_create(&b, 0, worker, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return counter != 6; // NORACE
}
