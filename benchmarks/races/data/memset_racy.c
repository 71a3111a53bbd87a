/* memset of a shared block: its upper half is cleared without the lock. */
#include <pthread.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int block[16];
static void *cleaner(void *a)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&m);
		memset(block, 0, sizeof block / 2); // NORACE
		pthread_mutex_unlock(&m);
		memset(block + 8, 0, sizeof block / 2); // RACE!
	}
	return a;
}
static void *counter(void *a)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&m);
		block[i % 16]++; // RACE!
		pthread_mutex_unlock(&m);
	}
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, cleaner, 0);
	pthread_create(&u, 0, counter, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return block[0]; // NORACE
}
