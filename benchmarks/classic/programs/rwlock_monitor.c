// A lock for readers and writers, made of a mutex and a condition variable (C. A. R. Hoare, "Monitors: an operating system
// structuring concept", Communications of the ACM 17(10), 1974, there with signals that hand over).
//
// A writer waits until nobody reads or writes, and a reader until nobody writes; everybody is woken by every end.
//
// EXPECT none csb=3 unroll=2
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

static void unlock_shared(void)
{
	pthread_mutex_lock(&m);
	readers--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&m);
}

static void lock(void)
{
	pthread_mutex_lock(&m);
	while (readers || writing)
		pthread_cond_wait(&changed, &m);
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

static void *reader(void *arg)
{
	lock_shared();
	int a = count, b = count;
	unlock_shared();
	assert(a == b);
	return arg;
}

static void *writer(void *arg)
{
	lock();
	count++;
	unlock();
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, reader, 0);
	pthread_create(&b, 0, writer, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(count == 1);
	return 0;
}
