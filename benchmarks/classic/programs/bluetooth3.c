// The Bluetooth driver of S. Qadeer and D. Wu, "KISS: keep it simple and sequential", PLDI 2004, and of many papers on context
// bounds since (A. Lal and T. Reps, CAV 2008): requests are counted, and the driver is stopped when none is being handled.
// Repaired: a request is counted before it looks whether the driver is being stopped, and only the first stopper takes back the
// driver's own count.
//
// The driver's own count goes once, so that the count is 0 only when every request that was begun has ended, and requests that
// begin after that see that the driver is being stopped.
//
// EXPECT none csb=2 unroll=2 deep=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int pending = 1; // requests that are handled, and one for the driver itself
static atomic_int stopping, event;
static int stopped;

static void release(void)
{
	if (atomic_fetch_sub(&pending, 1) == 1)
		atomic_store(&event, 1);
}

// begin counts a request; it is not to be handled where the driver is being stopped.
static int begin(void)
{
	atomic_fetch_add(&pending, 1);
	if (!atomic_load(&stopping))
		return 1;
	release();
	return 0;
}

static void *adder(void *arg)
{
	if (begin()) {
		assert(!stopped);
		release();
	}
	return arg;
}

static void *stopper(void *arg)
{
	if (atomic_exchange(&stopping, 1))
		return arg;
	release();
	while (!atomic_load(&event))
		;
	stopped = 1;
	return arg;
}

int main(void)
{
	pthread_t a, s, z;
	pthread_create(&a, 0, adder, 0);
	pthread_create(&s, 0, stopper, 0);
	pthread_create(&z, 0, stopper, 0);
	pthread_join(a, 0);
	pthread_join(s, 0);
	pthread_join(z, 0);
	return 0;
}
