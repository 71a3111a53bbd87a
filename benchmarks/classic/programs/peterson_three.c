// Peterson's algorithm for two threads, used by three that take turn for the one who has come last (the algorithm: G. L.
// Peterson, Information Processing Letters 12(3), 1981, which has n-1 levels for n threads for this reason).
//
// One is inside and is preempted. Another one comes, would have to wait, and is preempted as it spins; so is a third, which is
// now the last. The second is not any more, and enters.
//
// EXPECT assertion csb=3 unroll=1
// EXPECT race csb=3 unroll=1 slow explore=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 3 };

static atomic_int wants[N], last;
static int inside; // the threads in the critical section

static int others(int me)
{
	for (int i = 0; i < N; i++)
		if (i != me && atomic_load(&wants[i]))
			return 1;
	return 0;
}

static void enter(int me)
{
	atomic_store(&wants[me], 1);
	atomic_store(&last, me);
	while (others(me) && atomic_load(&last) == me)
		;
}

static void *thread(void *arg)
{
	int me = *(int *)arg;
	enter(me);
	inside++;            // RACE!
	assert(inside == 1); // RACE!
	inside--;            // RACE!
	atomic_store(&wants[me], 0);
	return 0;
}

int main(void)
{
	int id[N];
	pthread_t t[N];
	for (int i = 0; i < N; i++) {
		id[i] = i;
		pthread_create(&t[i], 0, thread, &id[i]);
	}
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	return 0;
}
