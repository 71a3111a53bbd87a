/* A function releases its caller's lock and takes it again; the caller reads anew what it needs. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, waits;
static void pause_for(int k)
{
	pthread_mutex_unlock(&m);
	for (volatile int i = 0; i < k; i++)
		;
	pthread_mutex_lock(&m);
	waits++; // NORACE
}
static void *worker(void *p)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&m);
		if (n > i) { // NORACE
			pause_for(10);
			n -= 1; // NORACE
		}
		n += 2; // NORACE
		pthread_mutex_unlock(&m);
	}
	return p;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return n + waits; // NORACE
}
