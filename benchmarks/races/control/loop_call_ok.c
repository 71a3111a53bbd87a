/* What a call in a loop writes would decide whether the lock is taken; each round resets it. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, late;

static void run(int k);

static void step(int k)
{
	if (k > 0)
		run(k - 1);
	late = 1;
}

static void run(int k)
{
	int i;

	for (i = 0; i < 3; i++) {
		late = 0;
		if (!late)
			pthread_mutex_lock(&m);
		n++; // NORACE
		if (!late)
			pthread_mutex_unlock(&m);
		step(k);
	}
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	n++; // NORACE
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, worker, 0);
	run(1);
	pthread_join(t, 0);
	return 0;
}
