/* The lock is taken by one condition, the data used by another. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void work(int deep, int i)
{
	if (deep)
		pthread_mutex_lock(&m);
	if (deep || i % 7 == 0)
		x += i; // RACE!
	if (deep)
		pthread_mutex_unlock(&m);
}
static void *worker(void *a)
{
	for (int i = 0; i < 1000; i++)
		work(i & 1, i);
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return x; // NORACE
}
