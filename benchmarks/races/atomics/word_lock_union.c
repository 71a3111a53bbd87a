/* A part of the lock's word is cleared through the other member of a union. */
#include <pthread.h>
#include <stdatomic.h>
static union { atomic_int busy; atomic_char first; } lock;
static int n;
static void *worker(void *a)
{
	while (atomic_exchange(&lock.busy, 1))
		;
	n++; // RACE!
	atomic_store(&lock.busy, 0);
	return a;
}
static void *other(void *a)
{
	atomic_store(&lock.first, 0);
	return a;
}
int main(void)
{
	pthread_t t, u, v;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_create(&v, 0, other, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(v, 0);
	return n; // NORACE
}
