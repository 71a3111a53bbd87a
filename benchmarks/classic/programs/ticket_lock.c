// A ticket lock for three threads (after the sequencers of D. P. Reed and R. K. Kanodia, "Synchronization with eventcounts and
// sequencers", Communications of the ACM 22(2), 1979).
//
// Tickets are drawn with one atomic addition, so that no two are equal, and one ticket is served at a time.
//
// EXPECT none csb=0 unroll=1 deep=2
#include <assert.h>
#include <pthread.h>

enum { N = 3 };

static unsigned next, serving;
static int inside; // the threads in the critical section

static void acquire(void)
{
	unsigned ticket = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&serving, __ATOMIC_SEQ_CST) != ticket)
		;
}

static void release(void)
{
	__atomic_add_fetch(&serving, 1, __ATOMIC_SEQ_CST);
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
	assert(__atomic_load_n(&serving, __ATOMIC_SEQ_CST) == N);
	return 0;
}
