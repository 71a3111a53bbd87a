/* The count after the subtraction is tested, and the last one writes before it frees. */
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
	if (atomic_fetch_sub(&o->refs, 1) - 1 == 0) { // NORACE
		o->payload = n + 1; // NORACE
		free(o); // NORACE
	}
	return 0;
}
static struct obj *make(int n)
{
	struct obj *o = malloc(sizeof *o);
	if (!o)
		exit(1);
	atomic_init(&o->refs, n);
	o->payload = 7; // NORACE
	return o;
}
int main(void)
{
	pthread_t t, u;
	struct obj *o = make(3);
	pthread_create(&t, 0, worker, o);
	pthread_create(&u, 0, worker, o);
	drop(o);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
