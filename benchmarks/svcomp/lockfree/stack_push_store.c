/*
 * Two threads push a node each by a load of the top and a separate store.
 *
 * unreach-call: false, both may link to the empty stack; the second store then drops the first node.
 * no-data-race: true, the top is atomic, each node is written by one thread only and read by main after the
 *   joins.
 */
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
struct node { struct node *next; int value; };
struct node one = { 0, 1 }, two = { 0, 2 };
_Atomic(struct node *) top;
void *pusher(void *arg)
{
	struct node *n = arg;
	n->next = atomic_load(&top);
	atomic_store(&top, n);
	return 0;
}
int main(void)
{
	int sum = 0;
	pthread_t t1, t2;
	pthread_create(&t1, 0, pusher, &one);
	pthread_create(&t2, 0, pusher, &two);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	for (struct node *n = atomic_load(&top); n; n = n->next)
		sum += n->value;
	__VERIFIER_assert(sum == 3);
	return 0;
}
