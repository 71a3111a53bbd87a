/* Handing data over with an atomic flag: no lock is involved, the order comes from the data. */
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int ready;
static void *producer(void *a)
{
	data = 42; // NORACE
	atomic_store(&ready, 1); // NORACE
	return a;
}
static void *consumer(void *a)
{
	while (!atomic_load(&ready)) // NORACE
		;
	return (void *)(long)data; // NORACE
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, producer, 0);
	pthread_create(&u, 0, consumer, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
