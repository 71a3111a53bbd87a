// Peterson's algorithm with its two writes in the wrong order: a thread gives way before it says that it wants to enter. (The
// algorithm: G. L. Peterson, Information Processing Letters 12(3), 1981. Processors that reorder stores make the same mistake.)
//
// The first thread gives way, turn = 1, and is preempted. The second gives way, turn = 0, says that it wants to enter, sees
// nobody else who does, and enters. It is preempted inside; the first says that it wants to enter, finds that the turn is its
// own, and enters. With one preemption, one of the threads enters and leaves all by itself, or would have to wait.
//
// EXPECT assertion csb=2
// EXPECT race csb=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;
static int inside; // the threads in the critical section

static void enter(int me)
{
	int other = 1 - me;
	atomic_store(&turn, other);
	atomic_store(&flag[me], 1);
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
	inside++;            // RACE!
	assert(inside == 1); // RACE!
	inside--;            // RACE!
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
