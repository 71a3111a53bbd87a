/* There are two threads, and one is joined. */
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
	int some = argc > 1;
	for (int i = 0; i < 2; i++)
		if (some)
			pthread_create(&t, 0, worker, 0);
	if (some)
		pthread_join(t, 0);
	n++; // RACE!
	return argv == 0;
}
