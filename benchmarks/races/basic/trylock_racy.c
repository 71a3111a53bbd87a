/* The result of the try-lock is taken the wrong way round: the branch without the lock writes. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *worker(void *a)
{
	for (int i = 0; i < 10000; i++) {
		if (pthread_mutex_trylock(&m)) {
			x++; // RACE!
		} else {
			x--; // RACE!
			pthread_mutex_unlock(&m);
		}
	}
	return 0;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], 0, worker, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return x; // NORACE
}
