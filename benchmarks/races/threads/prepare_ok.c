/* Main prepares the data before it creates the threads and takes the lock for what it does later. */
#include <pthread.h>
#define N 16
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int table[N], size, hits;
static void prepare(void)
{
	for (int i = 0; i < N; i++) {
		table[i] = 3 * i; // NORACE
		size++; // NORACE
	}
}
static void *lookup(void *a)
{
	for (int i = 0; i < 1000; i++) {
		int found = i % N < size && table[i % N] == i; // NORACE
		pthread_mutex_lock(&m);
		hits += found; // NORACE
		pthread_mutex_unlock(&m);
	}
	return a;
}
int main(void)
{
	pthread_t t, u;
	prepare();
	pthread_create(&t, 0, lookup, 0);
	pthread_create(&u, 0, lookup, 0);
	pthread_mutex_lock(&m);
	hits++; // NORACE
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return hits + size; // NORACE
}
