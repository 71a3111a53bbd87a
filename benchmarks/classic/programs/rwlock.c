// Readers and a writer with a lock of the system (P. J. Courtois, F. Heymans and D. L. Parnas, "Concurrent control with readers
// and writers", Communications of the ACM 14(10), 1971, as POSIX has it).
//
// The writer has the lock alone, so that nobody reads between its two writes.
//
// EXPECT none csb=1
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *reader(void *arg)
{
	pthread_rwlock_rdlock(&l);
	int a = x, b = y;
	pthread_rwlock_unlock(&l);
	assert(a == b);
	return arg;
}

static void *writer(void *arg)
{
	pthread_rwlock_wrlock(&l);
	x++;
	y++;
	pthread_rwlock_unlock(&l);
	return arg;
}

int main(void)
{
	pthread_t r, s, w;
	pthread_create(&r, 0, reader, 0);
	pthread_create(&s, 0, reader, 0);
	pthread_create(&w, 0, writer, 0);
	pthread_join(r, 0);
	pthread_join(s, 0);
	pthread_join(w, 0);
	return 0;
}
