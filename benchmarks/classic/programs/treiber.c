// Treiber's stack (R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986), whose nodes are not used
// again.
//
// A node is pushed once: while it is on top, what follows it does not change, and the compare-and-swap of a pop that succeeds
// takes off what was read.
//
// EXPECT none csb=1 deep=4 slow
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
	struct node *next;
	int value;
};

static struct node *_Atomic top;

static void push(struct node *n)
{
	struct node *old = atomic_load(&top);
	do
		n->next = old;
	while (!atomic_compare_exchange_weak(&top, &old, n));
}

static struct node *pop(void)
{
	struct node *old = atomic_load(&top);
	while (old && !atomic_compare_exchange_weak(&top, &old, old->next))
		;
	return old;
}

static struct node node[2];
static int got[2];

static void *thread(void *arg)
{
	int me = arg != 0;
	node[me].value = 1 + me;
	push(&node[me]);
	struct node *n = pop();
	assert(n);
	got[me] = n->value;
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, &a);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(got[0] + got[1] == 3 && got[0] != got[1]);
	assert(!atomic_load(&top));
	return 0;
}
