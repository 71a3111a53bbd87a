/* The barrier is waited at on one path only. */
#include <pthread.h>
static int value;
static pthread_barrier_t both;
static void *writer(void *arg)
{
	value = 1; // RACE!
	pthread_barrier_wait(&both);
	return 0;
}
int main(int argc, char **argv)
{
	pthread_t t;
	pthread_barrier_init(&both, 0, 2);
	pthread_create(&t, 0, writer, 0);
	if (argc > 1)
		pthread_barrier_wait(&both);
	return value; // RACE!
}
