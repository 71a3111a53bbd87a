// A spin lock with a pending bit, like the queued spin locks of Linux (W. Long and P. Zijlstra, version 4.2) without its queue,
// whose pending thread gives up the bit before it takes the lock.
//
// The first thread holds the lock and is preempted, so that the second fails to take it at once; the second is preempted and
// the first releases the lock and ends. The second gets the bit, gives it up, and is preempted before it takes the lock: the
// word is 0. The third takes the lock and is preempted inside; the second takes it, too.
//
// EXPECT assertion csb=4 unroll=1 slow
// EXPECT race csb=4 unroll=1 slow explore=4
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
	atomic_fetch_and(&word, ~PENDING);
	atomic_fetch_or(&word, LOCKED);
}

static void release(void)
{
	atomic_fetch_and(&word, ~LOCKED);
}

static void *thread(void *arg)
{
	(void)arg;
	acquire();
	inside++;            // RACE!
	assert(inside == 1); // RACE!
	inside--;            // RACE!
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
