/* Pointers that an atomic function returns are used at once; a node is read once it is published, and written never again. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static _Atomic(struct node *) head;
static struct node last = { 7, 0 };
static int (*_Atomic hook)(int);
static int twice(int n) { return n + n; }
static void *worker(void *arg)
{
	int sum = 0;
	if (atomic_load(&head))
		sum = atomic_load(&head)->v + (*atomic_load(&head)).v + atomic_load(&head)[0].v; // NORACE
	if (atomic_load(&hook))
		sum = atomic_load(&hook)(sum);
	return (void *)(long)(sum + __atomic_exchange_n(&head, &last, __ATOMIC_ACQ_REL)->v); // NORACE
}
int main(void)
{
	pthread_t t, u;
	last.v = 8; // NORACE
	atomic_store(&head, &last);
	atomic_store(&hook, twice);
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return last.v; // NORACE
}
