// A counter without locks whose compare-and-swap is not tried again when it fails.
//
// A thread has read the count and is preempted, the other one counts, and the first does not.
//
// EXPECT assertion csb=1
#include <assert.h>
#include <pthread.h>

static int count;

static void *counter(void *arg)
{
	int seen = __atomic_load_n(&count, __ATOMIC_SEQ_CST);
	__sync_bool_compare_and_swap(&count, seen, seen + 1);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, counter, 0);
	pthread_create(&b, 0, counter, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(__atomic_load_n(&count, __ATOMIC_SEQ_CST) == 2);
	return 0;
}
