// Dining philosophers (E. W. Dijkstra, "Hierarchical ordering of sequential processes", Acta Informatica 1, 1971): three of
// them, who take the fork with the smaller number first.
//
// Nobody waits for a fork while holding one with a greater number, so that there is no cycle of threads that wait.
//
// EXPECT none csb=2 deep=4
#include <pthread.h>

enum { N = 3 };

static pthread_mutex_t fork_[N] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int used[N]; // how often each fork was eaten with

static void eat(int first, int second)
{
	pthread_mutex_lock(&fork_[first]);
	pthread_mutex_lock(&fork_[second]);
	used[first]++;
	used[second]++;
	pthread_mutex_unlock(&fork_[second]);
	pthread_mutex_unlock(&fork_[first]);
}

static void *philosopher(void *arg)
{
	int left = *(int *)arg, right = (left + 1) % N;
	if (left < right)
		eat(left, right);
	else
		eat(right, left);
	return 0;
}

int main(void)
{
	int id[N];
	pthread_t t[N];
	for (int i = 0; i < N; i++) {
		id[i] = i;
		pthread_create(&t[i], 0, philosopher, &id[i]);
	}
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	return 0;
}
