// A barrier of a mutex and a condition variable, whose threads wait for the count (the mistake that generations are for: D. R.
// Butenhof, "Programming with POSIX threads", 1997, section 7.1.1).
//
// The last to come sets the count back for the next time. Who was waiting looks at it after that, and waits for ever. Everybody
// is left waiting: no preemption is needed.
//
// EXPECT deadlock csb=0
#include <assert.h>
#include <pthread.h>

enum { N = 2, PHASES = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int count; // guarded by m
static int done[N]; // the phases that each thread has done; guarded by m

static void barrier(void)
{
	if (++count == N) {
		count = 0;
		pthread_cond_broadcast(&all);
		return;
	}
	while (count < N)
		pthread_cond_wait(&all, &m);
}

static void *thread(void *arg)
{
	int me = arg != 0;
	for (int i = 1; i <= PHASES; i++) {
		pthread_mutex_lock(&m);
		done[me] = i;
		barrier();
		assert(done[1 - me] >= i);
		pthread_mutex_unlock(&m);
	}
	return 0;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, thread, 0);
	pthread_create(&u, 0, thread, &t);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
