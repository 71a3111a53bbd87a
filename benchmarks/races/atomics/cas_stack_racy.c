/* A stack whose push writes the value after publishing, while the other side reads it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; int v; };
static _Atomic(struct node *) top;
static void *pusher(void *arg)
{
	for (int i = 0; i < 100; i++) {
		struct node *n = calloc(1, sizeof *n);
		if (!n)
			return 0;
		n->next = atomic_load(&top); // NORACE
		atomic_store(&top, n); // NORACE
		n->v = i; // RACE!
	}
	return arg;
}
static void *reader(void *arg)
{
	long s = 0;
	for (int i = 0; i < 1000; i++) {
		struct node *n = atomic_load(&top); // NORACE
		if (n)
			s += n->v; // RACE!
	}
	return (void *)s;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, pusher, 0);
	pthread_create(&u, 0, reader, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
