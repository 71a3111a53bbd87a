// Peterson's algorithm for more than two threads, the filter lock (G. L. Peterson, "Myths about the mutual exclusion problem",
// Information Processing Letters 12(3), 1981), here for three.
//
// At each level the last thread to come waits while another is at this level or above, so that one thread less gets through.
//
// EXPECT none csb=0 unroll=1 deep=1 explore=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 3 };

static atomic_int level[N], last[N]; // last[l]: the last thread to come to level l
static int inside;                   // the threads in the critical section

static int others(int me, int l)
{
	for (int i = 0; i < N; i++)
		if (i != me && atomic_load(&level[i]) >= l)
			return 1;
	return 0;
}

static void enter(int me)
{
	for (int l = 1; l < N; l++) {
		atomic_store(&level[me], l);
		atomic_store(&last[l], me);
		while (others(me, l) && atomic_load(&last[l]) == me)
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
	atomic_store(&level[me], 0);
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
