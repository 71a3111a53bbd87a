/* A lock made of a plain variable: test and set are two steps. */
#include <pthread.h>
static volatile int busy;
static int n;
static void *worker(void *a)
{
	for (int i = 0; i < 1000; i++) {
		while (busy) // RACE!
			;
		busy = 1; // RACE!
		n++; // RACE!
		busy = 0; // RACE!
	}
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return n; // NORACE
}
