/* The flag is waited for; what is done before it is cleared is done alone. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int busy, n;
static void *worker(void *a)
{
	pthread_mutex_lock(&m);
	while (busy)
		pthread_cond_wait(&c, &m);
	busy = 1;
	pthread_mutex_unlock(&m);
	n++; // NORACE
	pthread_mutex_lock(&m);
	busy = 0;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
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
