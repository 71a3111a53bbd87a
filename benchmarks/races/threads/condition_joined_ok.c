/* A thread that is started and joined under one condition; or was not made. */
#include <pthread.h>
#include <stdlib.h>
static int n, m;
static void *worker(void *a)
{
	n++; // NORACE
	return a;
}
static void *other(void *a)
{
	m++; // NORACE
	return a;
}
int main(int argc, char **argv)
{
	pthread_t t, u;
	int some = argc > 1, made = 0;
	if (some)
		pthread_create(&t, 0, worker, 0);
	else
		n = 1; // NORACE
	if (argc > 2)
		made = pthread_create(&u, 0, other, 0) == 0;
	for (int i = 0; i < argc; i++)
		if (argv[i][0] == 'x')
			return 1;
	if (some)
		pthread_join(t, 0);
	n++; // NORACE
	if (made)
		pthread_join(u, 0);
	return n + m; // NORACE
}
