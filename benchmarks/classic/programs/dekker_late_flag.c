// One of the attempts on the way to Dekker's algorithm (E. W. Dijkstra, "Cooperating sequential processes", 1965): a thread
// looks at the other one's flag first and raises its own afterwards.
//
// The first sees no flag and is preempted; the second sees none either, raises its own, enters, and is preempted inside; the
// first raises its flag and enters. With one preemption, one of the two would enter and leave undisturbed.
//
// EXPECT assertion csb=2
// EXPECT race csb=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2];
static int inside; // the threads in the critical section

static void enter(int me)
{
	while (atomic_load(&flag[1 - me]))
		;
	atomic_store(&flag[me], 1);
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
