/*
 * Two threads walk a list of three nodes; each takes the next node's lock before it releases the last one's.
 *
 * unreach-call: true, every thread adds one to each node.
 * no-data-race: true, a node's value is under its own lock, the links do not change.
 */
#include <pthread.h>
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
struct node { pthread_mutex_t lock; struct node *next; int value; } list[3];
void *walker(void *arg)
{
	struct node *n = &list[0];
	pthread_mutex_lock(&n->lock);
	while (n) {
		struct node *next = n->next;
		n->value++;
		if (next)
			pthread_mutex_lock(&next->lock);
		pthread_mutex_unlock(&n->lock);
		n = next;
	}
	return 0;
}
int main(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_init(&list[i].lock, 0);
		list[i].next = i < 2 ? &list[i + 1] : 0;
	}
	pthread_t t1, t2;
	pthread_create(&t1, 0, walker, 0);
	pthread_create(&t2, 0, walker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	for (int i = 0; i < 3; i++)
		__VERIFIER_assert(list[i].value == 2);
	return 0;
}
