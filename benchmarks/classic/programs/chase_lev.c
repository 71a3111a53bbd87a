// The work-stealing queue of D. Chase and Y. Lev, "Dynamic circular work-stealing deque", SPAA 2005, without the growing array.
//
// Items from the top are taken by a compare-and-swap, the last one by the owner, too. The owner moves the bottom before it
// reads the top, a thief reads the bottom after the top: one of two who want the same item sees the other.
//
// EXPECT none csb=3
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
		if (atomic_compare_exchange_strong(&top, &t, t + 1))
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
