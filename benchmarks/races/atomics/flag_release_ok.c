/* Handing data over with atomic flags that are released and acquired, not more. */
#include <pthread.h>
#include <stdatomic.h>
static int data, more, last;
static atomic_int stored, swapped, added;
static void *producer(void *a)
{
	int none = 0;
	data = 42; // NORACE
	atomic_store_explicit(&stored, 1, memory_order_release); // NORACE
	more = 43; // NORACE
	atomic_compare_exchange_strong_explicit(&swapped, &none, 1, memory_order_acq_rel, memory_order_relaxed); // NORACE
	last = 44; // NORACE
	__atomic_fetch_add((int *)&added, 1, __ATOMIC_RELEASE); // NORACE
	return a;
}
static void *consumer(void *a)
{
	long sum = 0;
	if (atomic_load_explicit(&stored, memory_order_acquire)) // NORACE
		sum += data; // NORACE
	if (atomic_load_explicit(&swapped, memory_order_consume)) // NORACE
		sum += more; // NORACE
	if (__atomic_load_n((int *)&added, __ATOMIC_SEQ_CST)) // NORACE
		sum += last; // NORACE
	return (void *)sum;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, producer, 0);
	pthread_create(&u, 0, consumer, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
