/* Main sets the counter anew before all are done. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int left;
static int data[3], sum;
static void *worker(void *a)
{
	data[(long)a]++; // RACE!
	atomic_fetch_sub(&left, 1);
	return a;
}
int main(void)
{
	pthread_t t;
	for (int round = 0; round < 2; round++) {
		atomic_store(&left, 2);
		for (long i = 0; i < 2; i++)
			pthread_create(&t, 0, worker, (void *)i);
		while (atomic_load(&left) > 1)
			;
	}
	while (atomic_load(&left) > 0)
		;
	sum += data[0] + data[1]; // RACE!
	return sum;
}
