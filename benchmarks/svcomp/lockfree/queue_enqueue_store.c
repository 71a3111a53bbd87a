/*
 * Two threads append a node each to a queue by a load of the tail and two stores.
 *
 * unreach-call: false, both may link behind the same node; the second store drops the first thread's node.
 * no-data-race: true, the links and the tail are atomic, values are written before the threads start.
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
struct node { _Atomic(struct node *) next; int value; };
struct node dummy, one = { 0, 1 }, two = { 0, 2 };
_Atomic(struct node *) tail;
void *appender(void *arg)
{
	struct node *n = arg;
	struct node *t = atomic_load(&tail);
	atomic_store(&t->next, n);
	atomic_store(&tail, n);
	return 0;
}
int main(void)
{
	int sum = 0;
	atomic_store(&tail, &dummy);
	pthread_t t1, t2;
	pthread_create(&t1, 0, appender, &one);
	pthread_create(&t2, 0, appender, &two);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	for (struct node *n = atomic_load(&dummy.next); n; n = atomic_load(&n->next))
		sum += n->value;
	__VERIFIER_assert(sum == 3);
	return 0;
}
