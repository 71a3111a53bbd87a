/* A constant table, and one that the threads fill in where an entry is still missing. */
#include <pthread.h>
static const int weight[4] = { 1, 3, 5, 7 };
static int scaled[4];
static int get(int i)
{
	if (!scaled[i % 4]) // RACE!
		scaled[i % 4] = 10 * weight[i % 4]; // RACE!
	return scaled[i % 4] + weight[(i + 1) % 4]; // RACE!
}
static void *worker(void *a)
{
	long s = 0;
	for (int i = 0; i < 1000; i++)
		s += get(i);
	return (void *)s;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return scaled[0]; // NORACE
}
