// Read, copy, update: a new version is published with one store, and the old one is reclaimed when nobody reads it (P. E.
// McKenney and J. D. Slingwine, "Read-copy update: using execution history to solve concurrency problems", PDCS 1998), here
// with a count of readers.
//
// A reader is counted before it reads the pointer: who got the old version was counted before the new one was published, and is
// waited for.
//
// EXPECT none csb=3 unroll=2
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
	atomic_fetch_add(&readers, 1);
	struct config *c = atomic_load(&current);
	int low = c->low, high = c->high;
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
	old.low = 0; // the memory is used for something else
	old.high = 0;
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
