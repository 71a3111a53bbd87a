// A counter without locks whose compare-and-swap is not tried again when it fails.
//
// A thread has read the count and is preempted, the other one counts, and the first does not.
//
// EXPECT assertion csb=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *counter(void *arg)
{
	int seen = atomic_load(&count);
	atomic_compare_exchange_strong(&count, &seen, seen + 1);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, counter, 0);
	pthread_create(&b, 0, counter, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(atomic_load(&count) == 2);
	return 0;
}
