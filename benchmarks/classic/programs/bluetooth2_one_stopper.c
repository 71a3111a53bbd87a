// The Bluetooth driver of S. Qadeer and D. Wu, "KISS: keep it simple and sequential", PLDI 2004, and of many papers on context
// bounds since (A. Lal and T. Reps, CAV 2008): requests are counted, and the driver is stopped when none is being handled.
// Repaired once: a request is counted before it looks whether the driver is being stopped. With one stopper that is right.
//
// Who was counted before stopping was set is waited for, and who was counted after that gives up.
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
	atomic_store(&stopping, 1);
	release();
	while (!atomic_load(&event))
		;
	stopped = 1;
	return arg;
}

int main(void)
{
	pthread_t a, b, s;
	pthread_create(&a, 0, adder, 0);
	pthread_create(&b, 0, adder, 0);
	pthread_create(&s, 0, stopper, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(s, 0);
	return 0;
}
