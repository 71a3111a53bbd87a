/*
 * One thread pops one node of a stack; the other pops two, keeps the second and pushes the first back.
 *
 * unreach-call: false, the first thread may read top a and next b and stop there; the other takes a and b and
 *   returns a; the exchange then succeeds although the stack has changed, and puts the kept b on top.
 * no-data-race: true, top and the next fields are atomic.
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
struct node { _Atomic(struct node *) next; };
struct node a, b;
_Atomic(struct node *) top;
struct node *pop(void)
{
	struct node *n = atomic_load(&top);
	while (n && !atomic_compare_exchange_strong(&top, &n, atomic_load(&n->next)))
		;
	return n;
}
void push(struct node *n)
{
	struct node *old = atomic_load(&top);
	do
		atomic_store(&n->next, old);
	while (!atomic_compare_exchange_strong(&top, &old, n));
}
struct node *kept;
void *one(void *arg)
{
	pop();
	return 0;
}
void *two(void *arg)
{
	struct node *n = pop();
	kept = pop();
	if (n)
		push(n);
	return 0;
}
int main(void)
{
	atomic_store(&a.next, &b);
	atomic_store(&top, &a);
	pthread_t t1, t2;
	pthread_create(&t1, 0, one, 0);
	pthread_create(&t2, 0, two, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(!kept || atomic_load(&top) != kept);
	return 0;
}
