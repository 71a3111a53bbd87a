/* A thread sets the count anew, and other references are out. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct obj { atomic_int refs; int payload; };
static void drop(struct obj *o)
{
	if (atomic_fetch_sub(&o->refs, 1) == 1) // RACE!
		free(o); // RACE!
}
static void *worker(void *arg)
{
	struct obj *o = arg;
	int n = o->payload; // RACE!
	if (n > 6)
		atomic_store(&o->refs, 1); // RACE!
	drop(o);
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
	struct obj *o = make(2);
	pthread_create(&t, 0, worker, o);
	pthread_create(&u, 0, worker, o);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
