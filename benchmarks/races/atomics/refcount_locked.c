/* The count is changed under a lock in one place, and under none in another. */
#include <pthread.h>
#include <stdlib.h>
struct obj { int refs; int payload; };
static pthread_mutex_t global = PTHREAD_MUTEX_INITIALIZER;
static void drop(struct obj *o)
{
	int left;
	pthread_mutex_lock(&global);
	left = --o->refs; // RACE!
	pthread_mutex_unlock(&global);
	if (!left)
		free(o); // RACE!
}
static void *worker(void *arg)
{
	struct obj *o = arg;
	int n = o->payload; // RACE!
	drop(o);
	return (void *)(long)n;
}
int main(void)
{
	pthread_t t, u;
	struct obj *o = malloc(sizeof *o);
	if (!o)
		return 1;
	o->refs = 1; // NORACE
	o->payload = 7; // NORACE
	pthread_mutex_lock(&global);
	o->refs++; // NORACE
	pthread_mutex_unlock(&global);
	pthread_create(&t, 0, worker, o);
	o->refs++; // RACE!
	pthread_create(&u, 0, worker, o);
	drop(o);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
