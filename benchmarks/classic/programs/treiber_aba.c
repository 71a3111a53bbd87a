// Treiber's stack (R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986) whose nodes are used
// again: the ABA problem (IBM System/370 Principles of Operation).
//
// The stack is 1, 2. A thread has read that 1 is on top and 2 follows, and is preempted. The other one pops 1 and 2, keeps 2,
// and pushes 1. For the compare-and-swap of the first, nothing has changed: 2 is on the stack again, and is popped though it is
// in use.
//
// EXPECT assertion csb=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
	atomic_uint next; // a number of a node, 0 for none
	atomic_int used;
};

static struct node node[3];
static atomic_uint top;

static unsigned pop(void)
{
	unsigned old = atomic_load(&top), n, next;
	do {
		n = old;
		if (!n)
			return 0;
		next = atomic_load(&node[n].next);
	} while (!atomic_compare_exchange_strong(&top, &old, next));
	int used = atomic_exchange(&node[n].used, 1);
	assert(!used);
	return n;
}

static void push(unsigned n)
{
	unsigned old = atomic_load(&top);
	atomic_store(&node[n].used, 0);
	do
		atomic_store(&node[n].next, old);
	while (!atomic_compare_exchange_strong(&top, &old, n));
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
