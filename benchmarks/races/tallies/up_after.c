/* The thread goes on after it has said that it is done. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int done;
static int data[4], sum;
static void *worker(void *a)
{
	atomic_fetch_add(&done, 1);
	data[(long)a]++; // RACE!
	return a;
}
int main(void)
{
	pthread_t t;
	for (long i = 0; i < 4; i++)
		pthread_create(&t, 0, worker, (void *)i);
	while (atomic_load(&done) < 4)
		;
	for (int i = 0; i < 4; i++)
		sum += data[i]; // RACE!
	return sum;
}
