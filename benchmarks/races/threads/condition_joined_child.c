/* The thread has started another one, which goes on. */
#include <pthread.h>
#include <stdlib.h>
static int n;
static void *child(void *a)
{
	n++; // RACE!
	return a;
}
static void *worker(void *a)
{
	pthread_t t;
	pthread_create(&t, 0, child, 0);
	return a;
}
int main(int argc, char **argv)
{
	pthread_t t;
	int some = argc > 1;
	if (some)
		pthread_create(&t, 0, worker, 0);
	if (some)
		pthread_join(t, 0);
	n++; // RACE!
	return argv == 0;
}
