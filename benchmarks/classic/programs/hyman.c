// Hyman's "simplification" of Dijkstra's algorithm, which was printed and is wrong (H. Hyman, Communications of the ACM 9(1),
// 1966; refuted by D. E. Knuth in 9(5)).
//
// The thread whose turn it is not sees that the other one does not want to enter, and is preempted before it takes the turn.
// The other one wants to enter now, has the turn, and enters; it is preempted inside; the first takes the turn and enters, too.
// With one preemption, one of them would enter and leave undisturbed.
//
// EXPECT assertion csb=2
// EXPECT race csb=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside; // the threads in the critical section

static void enter(int me)
{
	atomic_store(&wants[me], 1);
	while (atomic_load(&turn) != me) {
		while (atomic_load(&wants[1 - me]))
			;
		atomic_store(&turn, me);
	}
}

static void leave(int me)
{
	atomic_store(&wants[me], 0);
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
