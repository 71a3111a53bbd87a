/* The same buffer is used for every thread. */
#include <pthread.h>
#include <stdlib.h>
struct arg { int i; };
static void *worker(void *p)
{
	struct arg *a = p;
	return (void *)(long)a->i; // RACE!
}
int main(void)
{
	pthread_t t[4];
	struct arg *a = malloc(sizeof *a);
	if (!a)
		return 1;
	for (int i = 0; i < 4; i++) {
		a->i = i; // RACE!
		pthread_create(&t[i], 0, worker, a);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return 0;
}
