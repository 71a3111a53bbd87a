/* A recursive function after the lock, called through a table of functions. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int depth, calls;
static void walk(int n)
{
	depth += n; // RACE!
	if (n > 0)
		walk(n - 1);
}
static void count(int n) { calls += n; } // RACE!
static void (*const table[])(int) = { walk, count };
static void *worker(void *a)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	table[(long)a & 1](3);
	return 0;
}
int main(void)
{
	pthread_t t[8];
	for (long i = 0; i < 8; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], 0);
	return depth + calls;
}
