// A ticket lock for three threads (after the sequencers of D. P. Reed and R. K. Kanodia, "Synchronization with eventcounts and
// sequencers", Communications of the ACM 22(2), 1979).
//
// Tickets are drawn with one atomic addition, so that no two are equal, and one ticket is served at a time.
//
// EXPECT none csb=1 unroll=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 3 };

static atomic_uint next, serving;
static int inside; // the threads in the critical section

static void acquire(void)
{
	unsigned ticket = atomic_fetch_add(&next, 1);
	while (atomic_load(&serving) != ticket)
		;
}

static void release(void)
{
	atomic_store(&serving, atomic_load(&serving) + 1);
}

static void *thread(void *arg)
{
	(void)arg;
	acquire();
	inside++;
	assert(inside == 1);
	inside--;
	release();
	return 0;
}

int main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], 0, thread, 0);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	assert(atomic_load(&serving) == N);
	return 0;
}
