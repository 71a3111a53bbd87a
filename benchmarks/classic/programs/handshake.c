// Two threads that must answer each other in turn for the error: a bug that needs as many preemptions as there are answers (the
// kind of bug that a bound misses: S. Qadeer and J. Rehof, "Context-bounded model checking of concurrent software", TACAS
// 2005).
//
// The first says 1 and is preempted, the second answers 1 and is preempted, the first says 2 and is preempted, the second
// answers 2 and ends.
//
// EXPECT assertion csb=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int said, answered;

static void *first(void *arg)
{
	atomic_store(&said, 1);
	if (atomic_load(&answered) == 1) {
		atomic_store(&said, 2);
		assert(atomic_load(&answered) != 2);
	}
	return arg;
}

static void *second(void *arg)
{
	if (atomic_load(&said) == 1) {
		atomic_store(&answered, 1);
		if (atomic_load(&said) == 2)
			atomic_store(&answered, 2);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
