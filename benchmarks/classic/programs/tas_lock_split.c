// A spin lock whose test and set are two steps (the classic example for why there is a test-and-set instruction).
//
// One thread finds the lock free and is preempted; the other finds it free, takes it, and is preempted inside; the first takes
// it, too. With one preemption, one of the two would take the lock and release it undisturbed.
//
// EXPECT assertion csb=2
// EXPECT race csb=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int inside; // the threads in the critical section

static void acquire(void)
{
	while (atomic_load(&lock))
		;
	atomic_store(&lock, 1);
}

static void release(void)
{
	atomic_store(&lock, 0);
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
