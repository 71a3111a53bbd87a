// The queue without locks of M. M. Michael and M. L. Scott, "Simple, fast, and practical non-blocking and blocking concurrent
// queue algorithms", PODC 1996, whose nodes are not used again.
//
// A node is linked by a compare-and-swap that succeeds only behind the last node; everybody helps a tail that is behind.
//
// EXPECT none csb=1 unroll=2 deep=3 slow
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
	for (;;) {
		struct node *last = atomic_load(&tail), *next = atomic_load(&last->next);
		if (next) { // the tail is behind
			atomic_compare_exchange_strong(&tail, &last, next);
			continue;
		}
		if (!atomic_compare_exchange_strong(&last->next, &next, n))
			continue;
		atomic_compare_exchange_strong(&tail, &last, n);
		return;
	}
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
