/* A thread writes through an address that it was told: the pointer to the lock, perhaps. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *pointer = &lock;
static int n;
static void *through(void *a)
{
	pthread_mutex_lock(pointer);
	n++; // RACE!
	pthread_mutex_unlock(pointer);
	return a;
}
static void *directly(void *a)
{
	pthread_mutex_lock(&lock);
	n++; // RACE!
	pthread_mutex_unlock(&lock);
	return a;
}
static void *wild(void *a)
{
	long address = strtol(getenv("ADDRESS"), 0, 16);
	*(pthread_mutex_t **)address = &other;
	return a;
}
int main(void)
{
	pthread_t t, u, v;
	pthread_create(&v, 0, wild, 0);
	pthread_create(&t, 0, through, 0);
	pthread_create(&u, 0, directly, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(v, 0);
	return 0;
}
