/* Each thread gets a pointer to its own slot of an array. */
#include <pthread.h>
#define N 4
static int slot[N + 1];
static void *fill(void *p)
{
	int *mine = p;
	for (int i = 0; i < 1000; i++) {
		mine[0] += i; // NORACE
	}
	return 0;
}
int main(void)
{
	pthread_t t[N];
	int s = 0;
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], 0, fill, &slot[i]);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	for (int i = 0; i < N; i++)
		s += slot[i]; // NORACE
	return s != 0;
}
