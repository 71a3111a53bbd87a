/* A barrier lines the threads up; behind it each adds what it has read to another sum without the lock. */
#include <pthread.h>
static pthread_barrier_t b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long sum, seen;
static void add(long k)
{
	pthread_mutex_lock(&m);
	sum += k; // NORACE
	pthread_mutex_unlock(&m);
}
static void *worker(void *a)
{
	long s;
	add((long)a);
	pthread_barrier_wait(&b);
	pthread_mutex_lock(&m);
	s = sum; // NORACE
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 1000; i++)
		seen += s; // RACE!
	return (void *)s;
}
int main(void)
{
	pthread_t t[3];
	pthread_barrier_init(&b, 0, 3);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return (int)(sum + seen); // NORACE
}
