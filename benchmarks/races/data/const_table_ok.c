/* A constant table and one that is written only before the threads start. */
#include <pthread.h>
static const int weight[4] = { 1, 3, 5, 7 };
static int scaled[4];
static int get(int i)
{
	return scaled[i % 4] + weight[(i + 1) % 4]; // NORACE
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
	for (int i = 0; i < 4; i++)
		scaled[i] = 10 * weight[i]; // NORACE
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return scaled[0]; // NORACE
}
