/* Between the test and the change others may come. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int busy, n;
static int begin(void)
{
	pthread_mutex_lock(&m);
	int was = busy;
	pthread_mutex_unlock(&m);
	if (was)
		return 0;
	pthread_mutex_lock(&m);
	busy = 1;
	pthread_mutex_unlock(&m);
	return 1;
}
static void *worker(void *a)
{
	if (begin()) {
		n++; // RACE!
		pthread_mutex_lock(&m);
		busy = 0;
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
