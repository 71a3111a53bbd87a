/* The function that joins leaves early if the number is odd. */
#include <pthread.h>
#define N 3
static pthread_t id[N];
static int sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a)
{
	pthread_mutex_lock(&m);
	sum += (int)(long)a; // RACE!
	pthread_mutex_unlock(&m);
	return 0;
}
static void start_all(void)
{
	for (long i = 0; i < N; i++)
		pthread_create(&id[i], 0, worker, (void *)i);
}
static void join_all(int k)
{
	if (k & 1)
		return;
	for (int i = 0; i < N; i++)
		pthread_join(id[i], 0);
}
int main(int argc, char **argv)
{
	start_all();
	join_all(argc);
	return sum; // RACE!
}
