/* The count of one object is computed from that of another one. */
#include <pthread.h>
#include <stdlib.h>
struct obj { int refs; int payload; struct obj *like; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg)
{
	struct obj *o = arg, *p = o->like; // RACE!
	int left, n = o->payload; // RACE!
	pthread_mutex_lock(&m);
	left = p->refs - 1;
	o->refs = left; // RACE!
	pthread_mutex_unlock(&m);
	if (!left)
		free(o); // RACE!
	return (void *)(long)n;
}
int main(void)
{
	pthread_t t, u;
	struct obj *o = malloc(sizeof *o), *p = malloc(sizeof *p);
	if (!o || !p)
		return 1;
	o->refs = 2;
	o->payload = 7;
	o->like = p;
	p->refs = 1;
	p->like = 0;
	pthread_create(&t, 0, worker, o);
	pthread_create(&u, 0, worker, o);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
