/* Locking with a time limit: only the one who got the lock goes on. */
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *worker(void *a)
{
	struct timespec limit = { 0, 0 };
	for (int i = 0; i < 100000; i++) {
		if (pthread_mutex_timedlock(&m, &limit))
			continue;
		n++; // NORACE
		pthread_mutex_unlock(&m);
	}
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return n; // NORACE
}
