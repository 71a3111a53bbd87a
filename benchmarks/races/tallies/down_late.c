/* Main adds one after it has started the thread: the counter may be 0 in between. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int busy;
static int data[4], sum;
static void *worker(void *a)
{
	data[(long)a]++; // RACE!
	atomic_fetch_sub(&busy, 1);
	return a;
}
int main(void)
{
	pthread_t t;
	for (long i = 0; i < 4; i++) {
		pthread_create(&t, 0, worker, (void *)i);
		if (i)
			atomic_fetch_add(&busy, 1);
	}
	while (atomic_load(&busy) > 0)
		;
	for (int i = 0; i < 4; i++)
		sum += data[i]; // RACE!
	return sum;
}
