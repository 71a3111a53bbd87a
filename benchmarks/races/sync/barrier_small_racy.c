/* Three threads wait at a barrier for two: main may get through with the other worker, while the first one has not come to it yet. */
#include <pthread.h>
static int value;
static pthread_barrier_t both;
static void *writer(void *arg)
{
	value = 1; // RACE!
	pthread_barrier_wait(&both);
	return 0;
}
static void *other(void *arg)
{
	pthread_barrier_wait(&both);
	return 0;
}
int main(void)
{
	pthread_t t, u;
	pthread_barrier_init(&both, 0, 2);
	pthread_create(&t, 0, writer, 0);
	pthread_create(&u, 0, other, 0);
	pthread_barrier_wait(&both);
	int v = value; // RACE!
	return v;
}
