/* A read-write lock by its try functions: whoever does not get it does without. */
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int value, misses;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int get(void)
{
	int v;
	if (pthread_rwlock_tryrdlock(&l) != 0)
		return -1;
	v = value; // NORACE
	pthread_rwlock_unlock(&l);
	return v;
}
static void put(int v)
{
	if (pthread_rwlock_trywrlock(&l) == 0) {
		value = v; // NORACE
		pthread_rwlock_unlock(&l);
		return;
	}
	pthread_mutex_lock(&m);
	misses++; // NORACE
	pthread_mutex_unlock(&m);
}
static void *worker(void *a)
{
	for (int i = 0; i < 1000; i++)
		if (get() < i)
			put(i);
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return misses; // NORACE
}
