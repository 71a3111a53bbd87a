/*
 * Two threads pop a node each from a stack of two; no node ever returns to the stack.
 *
 * unreach-call: true, a pop succeeds only on the top it read, and next fields never change, so the threads get
 *   different nodes.
 * no-data-race: true, the nodes are only read after main has linked them, the top is atomic.
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
struct node b = { 0, 2 }, a = { &b, 1 };
_Atomic(struct node *) top;
int got[2];
void *popper(void *arg)
{
	struct node *n = atomic_load(&top);
	while (!atomic_compare_exchange_strong(&top, &n, n->next))
		;
	got[(long)arg] = n->value;
	return 0;
}
int main(void)
{
	atomic_store(&top, &a);
	pthread_t t1, t2;
	pthread_create(&t1, 0, popper, (void*)0);
	pthread_create(&t2, 0, popper, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(got[0] + got[1] == 3);
	return 0;
}
