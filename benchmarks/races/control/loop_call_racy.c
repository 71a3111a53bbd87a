/* What a call in a loop writes decides, in the next round, whether the lock is taken. */
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

	late = 0;
	for (i = 0; i < 3; i++) {
		if (!late)
			pthread_mutex_lock(&m);
		n++; // RACE!
		if (!late)
			pthread_mutex_unlock(&m);
		step(k);
	}
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	n++; // RACE!
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
