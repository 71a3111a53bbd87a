/* The starter still writes to the object after the hand-over. */
#include <pthread.h>
#include <stdlib.h>
struct arg { int from, to; long sum; };
static void *worker(void *p)
{
	struct arg *a = p;
	for (int i = a->from; i < a->to; i++) // RACE!
		a->sum += i; // NORACE
	return 0;
}
static void start(int i)
{
	pthread_t t;
	struct arg *a = malloc(sizeof *a);
	if (!a)
		return;
	a->from = i; // NORACE
	a->sum = 0; // NORACE
	if (pthread_create(&t, 0, worker, a) == 0)
		pthread_detach(t);
	a->to = i + 1000; // RACE!
}
int main(void)
{
	for (int i = 0; i < 4; i++)
		start(i);
	return 0;
}
