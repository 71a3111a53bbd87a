// The THE protocol of a work-stealing queue (M. Frigo, C. E. Leiserson and K. H. Randall, PLDI 1998) with thieves that compare
// before they move the head, and not after.
//
// A thief sees that there are items and is preempted; the owner pops all of them, for it sees no conflict; the thief takes the
// first one, too.
//
// EXPECT assertion csb=1 explore=2 slow
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ITEMS = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int head, tail = ITEMS; // the items in the queue are those from head to tail
static atomic_int taken[ITEMS];

static void take(int item)
{
	int before = atomic_exchange(&taken[item], 1);
	assert(!before);
}

// pop takes the last item; only the owner does it.
static void pop(void)
{
	int t = atomic_load(&tail) - 1;
	atomic_store(&tail, t);
	if (atomic_load(&head) > t) { // a thief is after the same item, or has it
		atomic_store(&tail, t + 1);
		pthread_mutex_lock(&m);
		atomic_store(&tail, t);
		int none = atomic_load(&head) > t;
		if (none)
			atomic_store(&tail, t + 1);
		pthread_mutex_unlock(&m);
		if (none)
			return;
	}
	take(t);
}

// steal takes the first item.
static void steal(void)
{
	pthread_mutex_lock(&m);
	int h = atomic_load(&head);
	int none = h >= atomic_load(&tail);
	if (!none)
		atomic_store(&head, h + 1);
	pthread_mutex_unlock(&m);
	if (!none)
		take(h);
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
	pthread_t o, t, u;
	pthread_create(&o, 0, owner, 0);
	pthread_create(&t, 0, thief, 0);
	pthread_create(&u, 0, thief, 0);
	pthread_join(o, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	for (int i = 0; i < ITEMS; i++)
		assert(atomic_load(&taken[i]));
	return 0;
}
