// A spin lock with a pending bit, like the queued spin locks of Linux (W. Long and P. Zijlstra, version 4.2) without its queue:
// who comes second is next, others spin.
//
// The pending thread is the only one that changes the word while the lock is free, for others need a word of 0. It takes the
// lock and gives up the bit in one step.
//
// EXPECT none csb=0 unroll=1 deep=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 3, LOCKED = 1, PENDING = 2 };

static atomic_int word;
static int inside; // the threads in the critical section

static void acquire(void)
{
	int old = 0;
	if (atomic_compare_exchange_strong(&word, &old, LOCKED))
		return;
	if (atomic_fetch_or(&word, PENDING) & PENDING) { // somebody is next already
		do
			old = 0;
		while (!atomic_compare_exchange_strong(&word, &old, LOCKED));
		return;
	}
	while (atomic_load(&word) & LOCKED)
		;
	atomic_fetch_add(&word, LOCKED - PENDING); // takes the lock and gives up the bit
}

static void release(void)
{
	atomic_fetch_and(&word, ~LOCKED);
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
