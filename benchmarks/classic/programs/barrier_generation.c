// A barrier of a mutex and a condition variable, whose threads wait for the generation to change (D. R. Butenhof, "Programming
// with POSIX threads", 1997, section 7.1.1).
//
// The last to come begins a new generation and sets the count back, both under the lock: who was waiting sees the change,
// however late.
//
// EXPECT none csb=0 deep=2
#include <assert.h>
#include <pthread.h>

enum { N = 2, PHASES = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int count, generation; // guarded by m
static int done[N]; // the phases that each thread has done; guarded by m

static void barrier(void)
{
	int mine = generation;
	if (++count == N) {
		count = 0;
		generation++;
		pthread_cond_broadcast(&all);
	}
	while (generation == mine)
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
