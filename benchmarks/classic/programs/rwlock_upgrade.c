// An upgrade that is none: a thread reads with the lock shared, gives it back, and writes with the lock exclusive what follows
// from what it read (the reason why database systems have locks that can be upgraded: J. N. Gray and others, "Granularity of
// locks and degrees of consistency in a shared data base", 1976).
//
// A thread has given the lock back and is preempted; the other one counts; the first writes a count that is out of date.
//
// EXPECT assertion csb=1
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int count;

static void *counter(void *arg)
{
	pthread_rwlock_rdlock(&l);
	int seen = count;
	pthread_rwlock_unlock(&l);
	pthread_rwlock_wrlock(&l);
	count = seen + 1;
	pthread_rwlock_unlock(&l);
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
