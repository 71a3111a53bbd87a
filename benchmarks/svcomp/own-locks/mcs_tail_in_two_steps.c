/*
 * A queue lock whose tail is read and replaced in two steps.
 *
 * unreach-call: false, both threads may find the queue empty and go in together.
 * no-data-race: false, then both write the counter at once.
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
struct node { _Atomic(struct node *) next; atomic_int wait; };
struct node nodes[2];
_Atomic(struct node *) tail;
int n;
void *worker(void *arg)
{
	struct node *me = &nodes[(long)arg];
	atomic_store(&me->wait, 1);
	struct node *before = atomic_load(&tail);
	atomic_store(&tail, me);
	if (before) {
		atomic_store(&before->next, me);
		while (atomic_load(&me->wait))
			;
	}
	n++;
	struct node *expected = me;
	if (!atomic_compare_exchange_strong(&tail, &expected, (struct node *)0)) {
		struct node *after = atomic_load(&me->next);
		if (after)
			atomic_store(&after->wait, 0);
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
