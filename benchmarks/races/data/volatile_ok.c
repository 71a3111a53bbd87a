/* volatile counters: each has one thread that uses it, or a lock. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop, rounds;
static int result;
static void *worker(void *a)
{
	int end = 0;
	while (!end && rounds < 10000) {
		pthread_mutex_lock(&m);
		end = stop; // NORACE
		pthread_mutex_unlock(&m);
		rounds++; // NORACE
	}
	result = rounds; // NORACE
	return a;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	pthread_mutex_lock(&m);
	stop = 1; // NORACE
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return result + rounds; // NORACE
}
