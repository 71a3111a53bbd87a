/* Workers and main take turns, twice in each iteration with a barrier between: the workers read what main has made, then main reads what they have made. */
#include <pthread.h>
#define WORKERS 3
#define TURNS 4
static struct {
	int input[2];
	pthread_barrier_t turn;
} shared;
static int result;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg)
{
	for (int i = 0; i < TURNS; i++) {
		pthread_barrier_wait(&shared.turn);
		int in = shared.input[i & 1]; // NORACE
		pthread_mutex_lock(&lock);
		result += in; // NORACE
		pthread_mutex_unlock(&lock);
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
		shared.input[i & 1] = i; // NORACE
		pthread_barrier_wait(&shared.turn);
		pthread_barrier_wait(&shared.turn);
		sum += result; // NORACE
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], 0);
	return sum;
}
