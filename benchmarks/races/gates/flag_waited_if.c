/* An if where a while belongs: two go on. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int busy, n;
static void *worker(void *a)
{
	pthread_mutex_lock(&m);
	if (busy)
		pthread_cond_wait(&c, &m);
	busy = 1;
	pthread_mutex_unlock(&m);
	n++; // RACE!
	pthread_mutex_lock(&m);
	busy = 0;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	return a;
}
int main(void)
{
	pthread_t t, u, v;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_create(&v, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(v, 0);
	return n; // NORACE
}
