// A write with a lock for readers and writers held in shared mode, which keeps out nobody who also has it so (P. J. Courtois,
// F. Heymans and D. L. Parnas, "Concurrent control with readers and writers", Communications of the ACM 14(10), 1971).
//
// A thread has the lock and is preempted before or between its two accesses; the other one gets it, too.
//
// EXPECT race csb=1
// EXPECT assertion csb=1
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int count;

static void *counter(void *arg)
{
	pthread_rwlock_rdlock(&l);
	count++; // RACE!
	pthread_rwlock_unlock(&l);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, counter, 0);
	pthread_create(&b, 0, counter, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(count == 2);
	return 0;
}
