// Treiber's stack (R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986) whose nodes are used
// again, with a count beside the number of the top node (the double compare-and-swap of the IBM System/370 Principles of
// Operation).
//
// Every change of the top changes the count, so that a compare-and-swap succeeds only where nothing has changed since the read.
//
// EXPECT none csb=1 deep=4 slow
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
	atomic_uint next; // a number of a node, 0 for none
	atomic_int used;
};

static struct node node[3];
static atomic_uint top; // the number of a node, and in units of 16 how often it was changed

static unsigned pop(void)
{
	unsigned old = atomic_load(&top), n, next;
	do {
		n = old % 16;
		if (!n)
			return 0;
		next = atomic_load(&node[n].next);
	} while (!atomic_compare_exchange_strong(&top, &old, next + (old / 16 + 1) * 16));
	int used = atomic_exchange(&node[n].used, 1);
	assert(!used);
	return n;
}

static void push(unsigned n)
{
	unsigned old = atomic_load(&top);
	atomic_store(&node[n].used, 0);
	do
		atomic_store(&node[n].next, old % 16);
	while (!atomic_compare_exchange_strong(&top, &old, n + (old / 16 + 1) * 16));
}

static void *first(void *arg)
{
	pop();
	pop();
	return arg;
}

static void *second(void *arg)
{
	unsigned a = pop();
	pop();
	if (a)
		push(a);
	return arg;
}

int main(void)
{
	pthread_t t, u;
	push(2);
	push(1);
	pthread_create(&t, 0, first, 0);
	pthread_create(&u, 0, second, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
