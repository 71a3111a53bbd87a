/* The condition changes in between. */
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
	if (some)
		pthread_create(&t, 0, worker, 0);
	if (argc > 2)
		some = 0;
	if (some)
		pthread_join(t, 0);
	n++; // RACE!
	return argv == 0;
}
