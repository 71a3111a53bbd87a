/* Phases divided by a barrier: in the first each writes its own variable, in the second both read. */
#include <pthread.h>
static pthread_barrier_t b;
static int x, y;
static void *left(void *a)
{
	x = 1; // NORACE
	pthread_barrier_wait(&b);
	int s = x + y; // NORACE
	return (void *)(long)s;
}
static void *right(void *a)
{
	y = 2; // NORACE
	pthread_barrier_wait(&b);
	int s = x + y; // NORACE
	return (void *)(long)s;
}
int main(void)
{
	pthread_t t, u;
	pthread_barrier_init(&b, 0, 2);
	pthread_create(&t, 0, left, 0);
	pthread_create(&u, 0, right, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return x + y; // NORACE
}
