// A sequence lock: readers write nothing, and read again if there was a writer meanwhile (C. Lameter, "Effective
// synchronization on Linux/NUMA systems", 2005).
//
// The sequence is odd while there is a writer. A reader that finds the same even number before and after has read between two
// writers.
//
// EXPECT none csb=4 unroll=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y;

static void *writer(void *arg)
{
	unsigned s = atomic_load(&sequence);
	atomic_store(&sequence, s + 1);
	atomic_store(&x, 1);
	atomic_store(&y, 1);
	atomic_store(&sequence, s + 2);
	return arg;
}

static void *reader(void *arg)
{
	unsigned before;
	int a, b;
	do {
		while ((before = atomic_load(&sequence)) % 2)
			;
		a = atomic_load(&x);
		b = atomic_load(&y);
	} while (atomic_load(&sequence) != before);
	assert(a == b);
	return arg;
}

int main(void)
{
	pthread_t w, r;
	pthread_create(&w, 0, writer, 0);
	pthread_create(&r, 0, reader, 0);
	pthread_join(w, 0);
	pthread_join(r, 0);
	return 0;
}
