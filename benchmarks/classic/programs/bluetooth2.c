// The Bluetooth driver of S. Qadeer and D. Wu, "KISS: keep it simple and sequential", PLDI 2004, and of many papers on context
// bounds since (A. Lal and T. Reps, CAV 2008): requests are counted, and the driver is stopped when none is being handled.
// Repaired once: a request is counted before it looks whether the driver is being stopped. With two stoppers it is wrong still.
//
// A request is counted, sees that the driver is not being stopped, and is preempted. Each stopper takes back the driver's own
// count, though it has one only: the second takes the request's and stops the driver. The first was preempted as it would wait.
// Three context switches, two of them preemptions. One preemption is enough for both stoppers to be about to write stopped:
// where no request is counted, each finds the event set.
//
// EXPECT assertion csb=2
// EXPECT race csb=1
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
		assert(!stopped); // RACE!
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
	stopped = 1; // RACE!
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
