// Dekker's algorithm, the first one for the mutual exclusion of two threads (told by E. W. Dijkstra, "Cooperating sequential
// processes", 1965).
//
// Both write their flag before they look at the other one's, and enter only where that is down: the second to write sees the
// first's. The turn only decides who takes its flag back meanwhile.
//
// EXPECT none csb=3 unroll=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;
static int inside; // the threads in the critical section

static void enter(int me)
{
	int other = 1 - me;
	atomic_store(&flag[me], 1);
	while (atomic_load(&flag[other])) {
		if (atomic_load(&turn) == me)
			continue;
		atomic_store(&flag[me], 0);
		while (atomic_load(&turn) != me)
			;
		atomic_store(&flag[me], 1);
	}
}

static void leave(int me)
{
	atomic_store(&turn, 1 - me);
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
