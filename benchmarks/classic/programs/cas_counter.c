// A counter without locks: compare-and-swap in a loop (the use of the instruction in the IBM System/370 Principles of
// Operation, appendix "Multiprogramming and multiprocessing examples").
//
// A compare-and-swap that succeeds adds 1 to what it replaces, and one that fails is tried again.
//
// EXPECT none csb=2 unroll=2 all
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *counter(void *arg)
{
	int seen = atomic_load(&count);
	while (!atomic_compare_exchange_weak(&count, &seen, seen + 1))
		;
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, counter, 0);
	pthread_create(&b, 0, counter, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(atomic_load(&count) == 2);
	return 0;
}
