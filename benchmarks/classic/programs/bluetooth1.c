// The Bluetooth driver of S. Qadeer and D. Wu, "KISS: keep it simple and sequential", PLDI 2004, and of many papers on context bounds since
// (A. Lal and T. Reps, CAV 2008): requests are counted, and the driver is stopped when none is being handled.
// The original one.
//
// A request sees that the driver is not being stopped and is preempted before it is counted. The stopper finds no request and stops
// the driver, and the request goes on with a stopped one: two context switches, one of them a preemption. The accesses to stopped are
// side by side only if the stopper is preempted, too, or if the request is.
//
// EXPECT assertion csb=1
// EXPECT race csb=2
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
	if (atomic_load(&stopping))
		return 0;
	atomic_fetch_add(&pending, 1);
	return 1;
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
	pthread_t a, s;
	pthread_create(&a, 0, adder, 0);
	pthread_create(&s, 0, stopper, 0);
	pthread_join(a, 0);
	pthread_join(s, 0);
	return 0;
}
