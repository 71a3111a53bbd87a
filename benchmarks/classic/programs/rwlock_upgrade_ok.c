// An upgrade that looks again: after a thread has given back the shared lock and got the exclusive one, it reads once more what
// it decides by (the repaired twin of rwlock_upgrade.c).
//
// Whether there is a count to take is found with the lock shared, and again with the lock exclusive before one is taken.
//
// EXPECT none csb=1 all slow
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int left = 1, taken;

static void *taker(void *arg)
{
	pthread_rwlock_rdlock(&l);
	int some = left > 0;
	pthread_rwlock_unlock(&l);
	if (!some)
		return arg;
	pthread_rwlock_wrlock(&l);
	if (left > 0) {
		left--;
		taken++;
	}
	pthread_rwlock_unlock(&l);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, taker, 0);
	pthread_create(&b, 0, taker, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(left == 0 && taken == 1);
	return 0;
}
