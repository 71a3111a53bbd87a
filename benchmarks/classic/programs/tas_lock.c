// A test-and-set spin lock with a test before (L. Rudolph and Z. Segall, "Dynamic decentralized cache schemes for MIMD parallel
// processors", ISCA 1984), for three threads.
//
// The exchange writes 1 and says what was there in one step: of all that find 0, only one gets it.
//
// EXPECT none csb=0 unroll=1 deep=3
#include <assert.h>
#include <pthread.h>

enum { N = 3 };

static int lock;
static int inside; // the threads in the critical section

static void acquire(void)
{
	do {
		while (__atomic_load_n(&lock, __ATOMIC_RELAXED))
			;
	} while (__sync_lock_test_and_set(&lock, 1));
}

static void release(void)
{
	__sync_lock_release(&lock);
}

static void *thread(void *arg)
{
	(void)arg;
	acquire();
	inside++;
	assert(inside == 1);
	inside--;
	release();
	return 0;
}

int main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], 0, thread, 0);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	return 0;
}
