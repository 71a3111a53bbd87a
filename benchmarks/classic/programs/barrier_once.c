// A barrier that is used twice and is good for once: a turnstile that the last thread opens and nobody closes (the exercise of
// A. B. Downey, "The little book of semaphores", section 3.6).
//
// A thread waits in the first phase. The other one opens the turnstile, goes through, does its second phase, goes through
// again, and finds that the first has not done it. Who is left waits or has ended: no preemption is needed.
//
// EXPECT assertion csb=0
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { N = 2, PHASES = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count; // guarded by m
static sem_t turnstile;
static atomic_int done[N]; // the phases that each thread has done

static void barrier(void)
{
	pthread_mutex_lock(&m);
	if (++count == N)
		sem_post(&turnstile);
	pthread_mutex_unlock(&m);
	sem_wait(&turnstile);
	sem_post(&turnstile);
}

static void *thread(void *arg)
{
	int me = arg != 0;
	for (int i = 1; i <= PHASES; i++) {
		atomic_store(&done[me], i);
		barrier();
		assert(atomic_load(&done[1 - me]) >= i);
	}
	return 0;
}

int main(void)
{
	pthread_t t, u;
	sem_init(&turnstile, 0, 0);
	pthread_create(&t, 0, thread, 0);
	pthread_create(&u, 0, thread, &t);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
