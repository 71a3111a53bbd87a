// A barrier of two turnstiles, which can be used again (A. B. Downey, "The little book of semaphores", section 3.7).
//
// The last to come opens the first turnstile for all, and the last to go through opens the second, behind which all have left
// the first.
//
// EXPECT none csb=0 deep=2
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { N = 2, PHASES = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count; // guarded by m
static sem_t in, out;
static atomic_int done[N]; // the phases that each thread has done

static void barrier(void)
{
	pthread_mutex_lock(&m);
	if (++count == N)
		for (int i = 0; i < N; i++)
			sem_post(&in);
	pthread_mutex_unlock(&m);
	sem_wait(&in);
	pthread_mutex_lock(&m);
	if (--count == 0)
		for (int i = 0; i < N; i++)
			sem_post(&out);
	pthread_mutex_unlock(&m);
	sem_wait(&out);
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
	sem_init(&in, 0, 0);
	sem_init(&out, 0, 0);
	pthread_create(&t, 0, thread, 0);
	pthread_create(&u, 0, thread, &t);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
