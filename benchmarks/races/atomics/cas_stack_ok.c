/* A lock-free stack: nodes are private until the compare-and-swap publishes them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; int v; };
static _Atomic(struct node *) top;
static void push(int v)
{
	struct node *n = malloc(sizeof *n);
	if (!n)
		return;
	n->v = v; // NORACE
	n->next = atomic_load(&top); // NORACE
	while (!atomic_compare_exchange_weak(&top, &n->next, n)) // NORACE
		;
}
static void *worker(void *arg)
{
	for (int i = 0; i < 100; i++)
		push(i);
	return arg;
}
int main(void)
{
	pthread_t t, u;
	long sum = 0;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	for (struct node *n = atomic_load(&top); n; n = n->next) // NORACE
		sum += n->v; // NORACE
	return sum == 9900;
}
