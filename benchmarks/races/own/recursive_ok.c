/* What is handed to a thread is passed on to a function that calls itself. */
#include <pthread.h>
struct part { int n, depth; };
static struct part part[2];
static void work(struct part *q, int depth)
{
	q->n++; // NORACE
	q->depth = depth; // NORACE
	if (depth)
		work(q, depth - 1);
}
static void *worker(void *p)
{
	work(p, 5);
	return 0;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, &part[0]);
	pthread_create(&u, 0, worker, &part[1]);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return part[0].n + part[1].n; // NORACE
}
