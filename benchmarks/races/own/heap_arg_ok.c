/* Each thread gets a heap object of its own, initialised before the hand-over and freed by the thread. */
#include <pthread.h>
#include <stdlib.h>
struct arg { int from, to; long sum; };
static void *worker(void *p)
{
	struct arg *a = p;
	for (int i = a->from; i < a->to; i++) // NORACE
		a->sum += i; // NORACE
	free(a); // NORACE
	return 0;
}
static void start(int i)
{
	pthread_t t;
	struct arg *a = malloc(sizeof *a);
	if (!a)
		return;
	a->from = i; // NORACE
	a->to = i + 10; // NORACE
	a->sum = 0; // NORACE
	if (pthread_create(&t, 0, worker, a) == 0)
		pthread_detach(t);
}
int main(void)
{
	for (int i = 0; i < 4; i++)
		start(i);
	return 0;
}
