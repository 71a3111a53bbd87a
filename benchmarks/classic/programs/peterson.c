// Peterson's algorithm for two threads (G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing
// Letters 12(3), 1981).
//
// A thread says that it wants to enter and then gives way to the other one. Of two that want to enter, the one that wrote turn
// last waits, and turn has one value: never do both go on. So inside, which is not atomic, does not race either.
//
// EXPECT none csb=4 unroll=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;
static int inside; // the threads in the critical section

static void enter(int me)
{
	int other = 1 - me;
	atomic_store(&flag[me], 1);
	atomic_store(&turn, other);
	while (atomic_load(&flag[other]) && atomic_load(&turn) == other)
		;
}

static void leave(int me)
{
	atomic_store(&flag[me], 0);
}

static void *thread(void *arg)
{
	int me = arg != 0;
	enter(me);
	inside++;
	assert(inside == 1);
	inside--;
	leave(me);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, &a);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
