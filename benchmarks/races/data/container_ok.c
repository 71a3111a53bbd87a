/* A member's address finds its container; the lock is in the container. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
struct link { struct link *next; };
struct item { int n; struct link link; pthread_mutex_t lock; };
static void touch(struct link *l)
{
	struct item *it = container_of(l, struct item, link);
	pthread_mutex_lock(&it->lock);
	it->n++; // NORACE
	pthread_mutex_unlock(&it->lock);
}
static void *worker(void *p)
{
	struct link *l = p;
	for (int i = 0; i < 1000; i++)
		touch(l);
	return 0;
}
int main(void)
{
	pthread_t t, u;
	struct item *it = malloc(sizeof *it);
	if (!it)
		return 1;
	pthread_mutex_init(&it->lock, 0);
	it->n = 0; // NORACE
	it->link.next = 0; // NORACE
	pthread_create(&t, 0, worker, &it->link);
	pthread_create(&u, 0, worker, &it->link);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return it->n; // NORACE
}
