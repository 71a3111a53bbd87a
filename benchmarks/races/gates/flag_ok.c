/* A flag under a lock says whether somebody is there. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int busy, n;
static int begin(void)
{
	int got = 0;
	pthread_mutex_lock(&m);
	if (!busy) {
		busy = 1;
		got = 1;
	}
	pthread_mutex_unlock(&m);
	return got;
}
static void end(void)
{
	pthread_mutex_lock(&m);
	busy = 0;
	pthread_mutex_unlock(&m);
}
static void *worker(void *a)
{
	if (begin()) {
		n++; // NORACE
		end();
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
