// The work-stealing queue of D. Chase and Y. Lev (SPAA 2005) whose owner takes the last item without a compare-and-swap: it
// writes the top.
//
// A thief has read both ends and is preempted. The owner pops the other items, finds that one is left, and is preempted; the
// thief takes it by its compare-and-swap; the owner writes the same top and takes it, too. With one preemption, either the
// thief sees an empty queue or its compare-and-swap fails.
//
// EXPECT assertion csb=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ITEMS = 2 };

static atomic_int top, bottom = ITEMS; // the items in the queue are those from top to bottom
static atomic_int taken[ITEMS];

static void take(int item)
{
	int before = atomic_exchange(&taken[item], 1);
	assert(!before);
}

// pop takes the item at the bottom; only the owner does it.
static void pop(void)
{
	int b = atomic_load(&bottom) - 1;
	atomic_store(&bottom, b);
	int t = atomic_load(&top);
	if (t < b) {
		take(b);
		return;
	}
	if (t == b) { // the last item
		atomic_store(&top, t + 1);
		take(b);
	}
	atomic_store(&bottom, b + 1);
}

// steal takes the item at the top.
static void steal(void)
{
	int t = atomic_load(&top), b = atomic_load(&bottom);
	if (t < b && atomic_compare_exchange_strong(&top, &t, t + 1))
		take(t);
}

static void *owner(void *arg)
{
	for (int i = 0; i < ITEMS; i++)
		pop();
	return arg;
}

static void *thief(void *arg)
{
	steal();
	return arg;
}

int main(void)
{
	pthread_t o, t;
	pthread_create(&o, 0, owner, 0);
	pthread_create(&t, 0, thief, 0);
	pthread_join(o, 0);
	pthread_join(t, 0);
	for (int i = 0; i < ITEMS; i++)
		assert(atomic_load(&taken[i]));
	return 0;
}
