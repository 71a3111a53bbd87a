/* A reference count: the last one to drop it frees the object; the payload is only read. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct obj { atomic_int refs; int payload; };
static void drop(struct obj *o)
{
	if (atomic_fetch_sub(&o->refs, 1) == 1) // NORACE
		free(o); // NORACE
}
static void *worker(void *arg)
{
	struct obj *o = arg;
	int n = o->payload; // NORACE
	drop(o);
	return (void *)(long)n;
}
int main(void)
{
	pthread_t t, u;
	struct obj *o = malloc(sizeof *o);
	if (!o)
		return 1;
	atomic_init(&o->refs, 2);
	o->payload = 7; // NORACE
	pthread_create(&t, 0, worker, o);
	pthread_create(&u, 0, worker, o);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
