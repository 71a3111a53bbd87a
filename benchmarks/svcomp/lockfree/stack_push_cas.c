/*
 * Two threads push a node each on a stack by compare-and-exchange; main counts them.
 *
 * unreach-call: true, a push links the node to the top it replaces, so both nodes hang on the stack.
 * no-data-race: true, a node is private until its push succeeds, main reads the nodes after the joins.
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
	struct node *old = atomic_load(&top);
	do
		n->next = old;
	while (!atomic_compare_exchange_strong(&top, &old, n));
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
