/* Handing data over with a plain flag. */
#include <pthread.h>
static int data;
static volatile int ready;
static void *producer(void *a)
{
	data = 42; // RACE!
	ready = 1; // RACE!
	return a;
}
static void *consumer(void *a)
{
	for (int i = 0; i < 1000000 && !ready; i++) // RACE!
		;
	return (void *)(long)data; // RACE!
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&u, 0, consumer, 0);
	pthread_create(&t, 0, producer, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
