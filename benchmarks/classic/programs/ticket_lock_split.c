// A ticket lock whose tickets are drawn with a load and a store instead of one atomic addition (the lock: D. P. Reed and R. K.
// Kanodia, Communications of the ACM 22(2), 1979).
//
// Both threads draw ticket 0: the first is preempted between the load and the store, the second one inside. With one
// preemption, the second runs to its end, and the first waits for a ticket that was served already.
//
// EXPECT assertion csb=2
// EXPECT race csb=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int inside; // the threads in the critical section

static void acquire(void)
{
	unsigned ticket = atomic_load(&next);
	atomic_store(&next, ticket + 1);
	while (atomic_load(&serving) != ticket)
		;
}

static void release(void)
{
	atomic_store(&serving, atomic_load(&serving) + 1);
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
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
