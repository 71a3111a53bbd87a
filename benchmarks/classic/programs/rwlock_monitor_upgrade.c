// A lock for readers and writers with an upgrade: a reader becomes the writer when it is the last reader left (the conversion
// deadlock of J. N. Gray and others, "Granularity of locks and degrees of consistency in a shared data base", 1976).
//
// A reader has the lock shared and is preempted; the other one gets it, too, and waits to be the last; so does the first, for
// ever.
//
// EXPECT deadlock csb=1 unroll=2
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing; // guarded by m
static int count;            // guarded by the lock made of them

static void lock_shared(void)
{
	pthread_mutex_lock(&m);
	while (writing)
		pthread_cond_wait(&changed, &m);
	readers++;
	pthread_mutex_unlock(&m);
}


// upgrade makes the only reader the writer.
static void upgrade(void)
{
	pthread_mutex_lock(&m);
	while (readers > 1 || writing)
		pthread_cond_wait(&changed, &m);
	readers--;
	writing = 1;
	pthread_mutex_unlock(&m);
}

static void unlock(void)
{
	pthread_mutex_lock(&m);
	writing = 0;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&m);
}

static void *counter(void *arg)
{
	lock_shared();
	int seen = count;
	upgrade();
	count = seen + 1;
	unlock();
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, counter, 0);
	pthread_create(&b, 0, counter, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(count == 2);
	return 0;
}
