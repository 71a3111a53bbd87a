/* Each thread gets a reference of its own, and main drops its one while they run. */
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
	pthread_t all[3];
	struct obj *o = make(1);
	for (int i = 0; i < 3; i++) {
		atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
		if (pthread_create(&all[i], 0, worker, o))
			exit(1);
	}
	t = all[0];
	u = all[1];
	int n = o->payload; // NORACE
	drop(o);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return n;
}
