// The queue of M. M. Michael and M. L. Scott (PODC 1996) with a store instead of the compare-and-swap that links a node.
//
// A thread has seen the end of the queue and is preempted. The other one puts its node there; the first puts its own in the
// same place, over the link to the other's, which is lost.
//
// EXPECT assertion csb=1 unroll=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
	struct node *_Atomic next;
	int value;
};

static struct node node[3]; // the first one is the empty queue's
static struct node *_Atomic head = &node[0], *_Atomic tail = &node[0];

static void enqueue(struct node *n)
{
	struct node *last = atomic_load(&tail), *next;
	while ((next = atomic_load(&last->next))) // the tail is behind
		if (atomic_compare_exchange_strong(&tail, &last, next))
			last = next;
	atomic_store(&last->next, n);
	atomic_compare_exchange_strong(&tail, &last, n);
}

static int dequeue(void)
{
	for (;;) {
		struct node *first = atomic_load(&head), *last = atomic_load(&tail), *next = atomic_load(&first->next);
		if (!next)
			return 0;
		if (first == last) { // the tail is behind
			atomic_compare_exchange_strong(&tail, &last, next);
			continue;
		}
		int value = next->value;
		if (atomic_compare_exchange_strong(&head, &first, next))
			return value;
	}
}

static void *first(void *arg)
{
	node[1].value = 1;
	enqueue(&node[1]);
	return arg;
}

static int got;

static void *second(void *arg)
{
	node[2].value = 2;
	enqueue(&node[2]);
	got = dequeue();
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(got == 1 || got == 2);
	int rest = dequeue();
	assert(got + rest == 3);
	return 0;
}
