// Lamport's bakery algorithm for two threads, each of which enters once (L. Lamport, "A new solution of Dijkstra's concurrent
// programming problem", Communications of the ACM 17(8), 1974).
//
// A thread draws a number greater than those that it sees, and waits for all with smaller ones. While another is drawing,
// nobody compares with it: who draws after that sees the number of the one that compares, and draws a greater one.
//
// EXPECT none csb=1 unroll=2 deep=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 2 };

static atomic_int choosing[N], number[N];
static int inside; // the threads in the critical section

// draw takes a number greater than all that are out.
static void draw(int me)
{
	int max = 0;
	atomic_store(&choosing[me], 1);
	for (int i = 0; i < N; i++) {
		int n = atomic_load(&number[i]);
		if (n > max)
			max = n;
	}
	atomic_store(&number[me], max + 1);
	atomic_store(&choosing[me], 0);
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
		while (atomic_load(&choosing[i]))
			;
		while (before(i, me))
			;
	}
}

static void *thread(void *arg)
{
	int me = *(int *)arg;
	enter(me);
	inside++;
	assert(inside == 1);
	inside--;
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
