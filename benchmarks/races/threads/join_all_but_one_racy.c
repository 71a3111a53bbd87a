/* The loop that joins leaves the last thread out. */
#include <pthread.h>
#define N 3
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *worker(void *a)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m);
		n++; // RACE!
		pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	pthread_t t[N];
	int r;
	n = 0; // NORACE
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], 0, worker, 0);
	for (int i = N - 2; i >= 0; i--)
		pthread_join(t[i], 0);
	r = n; // RACE!
	pthread_join(t[N - 1], 0);
	return r;
}
