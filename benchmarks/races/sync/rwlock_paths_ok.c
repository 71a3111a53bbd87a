/* A reader that turns into a writer: it gives the read lock back and takes the write lock. */
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int value, version;
static int get(void)
{
	pthread_rwlock_rdlock(&l);
	int v = value; // NORACE
	pthread_rwlock_unlock(&l);
	return v;
}
static void bump(int limit)
{
	pthread_rwlock_rdlock(&l);
	int low = value < limit; // NORACE
	pthread_rwlock_unlock(&l);
	if (!low)
		return;
	pthread_rwlock_wrlock(&l);
	value++; // NORACE
	version++; // NORACE
	pthread_rwlock_unlock(&l);
}
static void *worker(void *a)
{
	for (int i = 0; i < 1000; i++) {
		get();
		bump(500);
	}
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return version; // NORACE
}
