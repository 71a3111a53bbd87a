// Lamport's bakery algorithm without the flags that say who is drawing a number (the algorithm: L. Lamport, Communications of
// the ACM 17(8), 1974, which says what the flags are for).
//
// Thread 0 sees no number and is preempted before it writes 1. Thread 1 draws 1, sees no number of thread 0, enters and is
// preempted inside. Thread 0 writes 1; of two equal numbers its own comes first, and it enters. With one preemption, one of the
// two would enter and leave undisturbed, or would wait.
//
// EXPECT assertion csb=2
// EXPECT race csb=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 2 };

static atomic_int number[N];
static int inside; // the threads in the critical section

// draw takes a number greater than all that are out.
static void draw(int me)
{
	int max = 0;
	for (int i = 0; i < N; i++) {
		int n = atomic_load(&number[i]);
		if (n > max)
			max = n;
	}
	atomic_store(&number[me], max + 1);
}

// before reports whether thread i is served before thread me.
static int before(int i, int me)
{
	int n = atomic_load(&number[i]), m = atomic_load(&number[me]);
	return n != 0 && (n < m || (n == m && i < me));
}

static void enter(int me)
{
	draw(me);
	for (int i = 0; i < N; i++) {
		if (i == me)
			continue;
		while (before(i, me))
			;
	}
}

static void *thread(void *arg)
{
	int me = *(int *)arg;
	enter(me);
	inside++;            // RACE!
	assert(inside == 1); // RACE!
	inside--;            // RACE!
	atomic_store(&number[me], 0);
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
