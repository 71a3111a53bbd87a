/* One barrier in each iteration: main makes the next input while a worker may still read the last one. */
#include <pthread.h>
#define TURNS 3
static int input;
static pthread_barrier_t turn;
static void *worker(void *arg)
{
	int sum = 0;
	for (int i = 0; i < TURNS; i++) {
		pthread_barrier_wait(&turn);
		sum += input; // RACE!
	}
	return (void *)(long)sum;
}
int main(void)
{
	pthread_t t;
	pthread_barrier_init(&turn, 0, 2);
	pthread_create(&t, 0, worker, 0);
	for (int i = 0; i < TURNS; i++) {
		input = i; // RACE!
		pthread_barrier_wait(&turn);
	}
	pthread_join(t, 0);
	return 0;
}
