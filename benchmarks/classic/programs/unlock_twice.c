// An error path that releases the lock, before the common end that releases it, too (the bug that D. Engler and others look for
// in "Checking system rules using system-specific, programmer-written compiler extensions", OSDI 2000).
//
// The device fails only if it is taken away between the two looks at it: a preemption between them.
//
// EXPECT unlock-not-held csb=1
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int present = 1;
static int requests;

static void *user(void *arg)
{
	if (!atomic_load(&present))
		return arg;
	pthread_mutex_lock(&m);
	requests++;
	if (!atomic_load(&present)) {
		requests--;
		pthread_mutex_unlock(&m);
	}
	pthread_mutex_unlock(&m);
	return arg;
}

static void *remover(void *arg)
{
	atomic_store(&present, 0);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, user, 0);
	pthread_create(&b, 0, remover, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
