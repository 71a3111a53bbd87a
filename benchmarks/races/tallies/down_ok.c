/* Main adds one before it starts a thread, and waits until all are taken off. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int busy;
static int data[4], sum;
static void *worker(void *a)
{
	data[(long)a]++; // NORACE
	atomic_fetch_sub(&busy, 1);
	return a;
}
int main(void)
{
	pthread_t t;
	for (long i = 0; i < 4; i++) {
		atomic_fetch_add(&busy, 1);
		pthread_create(&t, 0, worker, (void *)i);
	}
	while (atomic_load(&busy))
		;
	for (int i = 0; i < 4; i++)
		sum += data[i]; // NORACE
	return sum;
}
