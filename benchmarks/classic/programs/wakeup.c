// A wake-up that cannot be lost: the condition is looked at under the lock, and the wait gives the lock back in the same step
// (C. A. R. Hoare, "Monitors: an operating system structuring concept", Communications of the ACM 17(10), 1974).
//
// EXPECT none csb=2 unroll=2 all
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, message;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	assert(message == 42);
	return arg;
}

static void *waker(void *arg)
{
	message = 42;
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, waiter, 0);
	pthread_create(&b, 0, waker, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
