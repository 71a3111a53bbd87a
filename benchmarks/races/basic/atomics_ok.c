/* Atomic against atomic is no race; per-thread data is not shared. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int hits;
static int raw;
static __thread int mine;
static void *worker(void *a)
{
	hits++; // NORACE
	atomic_fetch_add(&hits, 2); // NORACE
	__atomic_fetch_add(&raw, 1, __ATOMIC_RELAXED); // NORACE
	__sync_fetch_and_add(&raw, 1); // NORACE
	mine++; // NORACE
	return 0;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, worker, 0);
	pthread_create(&b, 0, worker, 0);
	int now = atomic_load(&hits); // NORACE
	pthread_join(a, 0);
	pthread_join(b, 0);
	return now + raw; // NORACE
}
