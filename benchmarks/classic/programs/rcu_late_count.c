// Read, copy, update with readers that are counted too late (the algorithm: P. E. McKenney and J. D. Slingwine, PDCS 1998).
//
// A reader has the old version, is not yet counted, and is preempted; the updater sees no reader and reclaims that version,
// from which the reader reads what is no configuration. For two accesses to be side by side, the updater is preempted, too.
//
// EXPECT assertion csb=1 unroll=2
// EXPECT race csb=2 unroll=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct config {
	int low, high;
};

static struct config old = { 1, 2 }, new;
static struct config *_Atomic current = &old;
static atomic_int readers;

static void *reader(void *arg)
{
	struct config *c = atomic_load(&current);
	atomic_fetch_add(&readers, 1);
	int low = c->low;   // RACE!
	int high = c->high; // RACE!
	atomic_fetch_sub(&readers, 1);
	assert(low + 1 == high);
	return arg;
}

static void *updater(void *arg)
{
	new.low = 3;
	new.high = 4;
	atomic_store(&current, &new);
	while (atomic_load(&readers))
		;
	old.low = 0;  // RACE!
	old.high = 0; // RACE!
	return arg;
}

int main(void)
{
	pthread_t r, u;
	pthread_create(&r, 0, reader, 0);
	pthread_create(&u, 0, updater, 0);
	pthread_join(r, 0);
	pthread_join(u, 0);
	return 0;
}
