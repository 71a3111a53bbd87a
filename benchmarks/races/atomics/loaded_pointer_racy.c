/* As loaded_pointer_ok, and a node is written while others read it. */
#include <pthread.h>
#include <stdatomic.h>
struct node { int v; struct node *next; };
static _Atomic(struct node *) head;
static struct node last = { 7, 0 };
static void *worker(void *arg)
{
	return (void *)(long)atomic_load(&head)->v; // RACE!
}
int main(void)
{
	pthread_t t;
	atomic_store(&head, &last);
	pthread_create(&t, 0, worker, 0);
	atomic_load(&head)->v = 8; // RACE!
	pthread_join(t, 0);
	return last.v; // NORACE
}
