/* A reference count that is a plain integer. */
#include <pthread.h>
#include <stdlib.h>
struct obj { int refs; int payload; };
static struct obj *o;
static void *worker(void *arg)
{
	int n = o->payload; // NORACE
	o->refs--; // RACE!
	return (void *)(long)n;
}
int main(void)
{
	pthread_t t, u;
	o = malloc(sizeof *o); // NORACE
	if (!o)
		return 1;
	o->refs = 2; // NORACE
	o->payload = 7; // NORACE
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	free(o); // NORACE
	return 0;
}
