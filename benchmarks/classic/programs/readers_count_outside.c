// Readers are counted, and the first one waits for the writer behind the mutex instead of with it held (the algorithm: P. J.
// Courtois, F. Heymans and D. L. Parnas, Communications of the ACM 14(10), 1971).
//
// The writer is writing and is preempted. The first reader waits for it. The second is not the first, and reads.
//
// EXPECT assertion csb=1 slow
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t room; // held by the writer, or by the readers together
static int readers; // guarded by m
static atomic_int reading, writing;

static void *reader(void *arg)
{
	pthread_mutex_lock(&m);
	readers++;
	int first = readers == 1;
	pthread_mutex_unlock(&m);
	if (first)
		sem_wait(&room);
	atomic_fetch_add(&reading, 1);
	assert(!atomic_load(&writing));
	atomic_fetch_sub(&reading, 1);
	pthread_mutex_lock(&m);
	if (--readers == 0)
		sem_post(&room);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *writer(void *arg)
{
	sem_wait(&room);
	atomic_store(&writing, 1);
	assert(!atomic_load(&reading));
	atomic_store(&writing, 0);
	sem_post(&room);
	return arg;
}

int main(void)
{
	pthread_t r, s, w;
	sem_init(&room, 0, 1);
	pthread_create(&r, 0, reader, 0);
	pthread_create(&s, 0, reader, 0);
	pthread_create(&w, 0, writer, 0);
	pthread_join(r, 0);
	pthread_join(s, 0);
	pthread_join(w, 0);
	return 0;
}
