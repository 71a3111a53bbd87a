/* The thread is joined under another condition than it was started under. */
#include <pthread.h>
#include <stdlib.h>
static int n;
static void *worker(void *a)
{
	n++; // RACE!
	return a;
}
int main(int argc, char **argv)
{
	pthread_t t;
	if (argc > 1)
		pthread_create(&t, 0, worker, 0);
	if (argc > 2)
		pthread_join(t, 0);
	n++; // RACE!
	return argv == 0;
}
