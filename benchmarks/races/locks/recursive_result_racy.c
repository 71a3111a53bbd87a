/* A function that calls itself returns 0 with the lock held, but for the last try. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int begin(int tries)
{
	if (tries == 0)
		return 0;
	if (pthread_mutex_trylock(&m) == 0)
		return 0;
	return begin(tries - 1);
}
static void *worker(void *p)
{
	if (begin(3) != 0)
		return 0;
	x++; // RACE!
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return x;
}
