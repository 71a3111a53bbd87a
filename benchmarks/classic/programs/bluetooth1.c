// The Bluetooth driver of S. Qadeer and D. Wu, "KISS: keep it simple and sequential", PLDI 2004, and of many papers on context
// bounds since (A. Lal and T. Reps, CAV 2008): requests are counted, and the driver is stopped when none is being handled. The
// original one.
//
// A request sees that the driver is not being stopped and is preempted before it is counted. The stopper finds no request and
// stops the driver, and the request goes on with a stopped one: two context switches, one of them a preemption. For the two
// accesses to stopped to be side by side, the stopper is preempted before its write, too.
//
// EXPECT assertion csb=1
// EXPECT race csb=2
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int pending = 1; // requests that are handled, and one for the driver itself
static int stopping, event;
static int stopped;

static int read(int *flag)
{
	__VERIFIER_atomic_begin();
	int v = *flag;
	__VERIFIER_atomic_end();
	return v;
}

static void set(int *flag)
{
	__VERIFIER_atomic_begin();
	*flag = 1;
	__VERIFIER_atomic_end();
}

// count adds a request or takes one back, and says how many there are.
static int count(int change)
{
	__VERIFIER_atomic_begin();
	int n = pending += change;
	__VERIFIER_atomic_end();
	return n;
}

static void release(void)
{
	if (count(-1) == 0)
		set(&event);
}

// begin counts a request; it is not to be handled where the driver is being stopped.
static int begin(void)
{
	if (read(&stopping))
		return 0;
	count(1);
	return 1;
}

static void *adder(void *arg)
{
	if (begin()) {
		if (stopped) // RACE!
			reach_error();
		release();
	}
	return arg;
}

static void *stopper(void *arg)
{
	set(&stopping);
	release();
	while (!read(&event))
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
