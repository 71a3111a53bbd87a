/* The lock is given back by a relaxed store: the next holder need not see what was done. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int busy;
static int n;
static void *worker(void *a)
{
	while (atomic_exchange_explicit(&busy, 1, memory_order_acquire))
		;
	n++; // RACE!
	atomic_store_explicit(&busy, 0, memory_order_relaxed);
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return n; // NORACE
}
