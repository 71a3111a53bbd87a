/* Main says how many there will be, starts them and waits. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int left;
static int data[3], sum;
static void *worker(void *a)
{
	data[(long)a]++; // NORACE
	atomic_fetch_sub(&left, 1);
	return a;
}
int main(void)
{
	pthread_t t;
	atomic_store(&left, 3);
	for (long i = 0; i < 3; i++)
		pthread_create(&t, 0, worker, (void *)i);
	while (atomic_load(&left) != 0)
		;
	for (int i = 0; i < 3; i++)
		sum += data[i]; // NORACE
	return sum;
}
