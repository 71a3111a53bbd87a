/* Workers and main take turns, twice in each iteration with a barrier between: the workers read what main has made, then main reads what they have made. Several workers write the same result. */
#include <pthread.h>
#define WORKERS 2
#define TURNS 2
static struct {
	int input;
	pthread_barrier_t turn;
} shared;
static int result[WORKERS];
static void *worker(void *arg)
{
	for (int i = 0; i < TURNS; i++) {
		pthread_barrier_wait(&shared.turn);
		int in = shared.input; // NORACE
		if (in == 1)
			result[0] = in; // RACE!
		pthread_barrier_wait(&shared.turn);
	}
	return 0;
}
int main(void)
{
	pthread_t t[WORKERS];
	int sum = 0;
	pthread_barrier_init(&shared.turn, 0, WORKERS + 1);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], 0, worker, 0);
	for (int i = 0; i < TURNS; i++) {
		shared.input = i; // NORACE
		pthread_barrier_wait(&shared.turn);
		pthread_barrier_wait(&shared.turn);
		sum += result[0]; // NORACE
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], 0);
	return sum;
}
