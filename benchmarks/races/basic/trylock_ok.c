/* A try-lock protects where its result says that it was taken. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, missed;
static void *worker(void *a)
{
	if (pthread_mutex_trylock(&m) == 0) {
		x++; // NORACE
		pthread_mutex_unlock(&m);
		return 0;
	}
	pthread_mutex_lock(&m);
	missed++; // NORACE
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], 0, worker, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return x;
}
