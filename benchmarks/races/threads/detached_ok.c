/* Detached threads share a counter under a lock; main leaves it alone after it started them. */
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *worker(void *a)
{
	pthread_mutex_lock(&m);
	n++; // NORACE
	pthread_mutex_unlock(&m);
	return a;
}
int main(void)
{
	pthread_attr_t attr;
	pthread_t t;
	int r;
	n = 0; // NORACE
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 3; i++)
		pthread_create(&t, &attr, worker, 0);
	usleep(1000);
	pthread_mutex_lock(&m);
	r = n; // NORACE
	pthread_mutex_unlock(&m);
	return r;
}
