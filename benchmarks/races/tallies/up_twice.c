/* A thread counts twice: main goes on before the others are done. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int done;
static int data[4], sum;
static void *worker(void *a)
{
	data[(long)a]++; // RACE!
	atomic_fetch_add(&done, 1);
	if (a)
		atomic_fetch_add(&done, 1);
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
