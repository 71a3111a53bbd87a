// A lost wake-up: the condition is looked at before the lock is taken (the "wakeup waiting" of J. H. Saltzer, "Traffic control
// in a multiplexed computer system", 1966).
//
// The waiting thread sees that nothing is ready and is preempted; the other one says that it is, and signals nobody; the first
// waits for ever.
//
// EXPECT deadlock csb=1
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *arg)
{
	if (!atomic_load(&ready)) {
		pthread_mutex_lock(&m);
		pthread_cond_wait(&c, &m);
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static void *waker(void *arg)
{
	atomic_store(&ready, 1);
	pthread_mutex_lock(&m);
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
