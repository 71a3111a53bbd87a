/* Handing data over with an atomic flag that orders nothing: each flag has one relaxed end. */
#include <pthread.h>
#include <stdatomic.h>
static int data, more, last;
static atomic_int stored, loaded, added;
static void *producer(void *a)
{
	data = 42; // RACE!
	atomic_store_explicit(&stored, 1, memory_order_relaxed); // NORACE
	more = 43; // RACE!
	atomic_store_explicit(&loaded, 1, memory_order_release); // NORACE
	last = 44; // RACE!
	atomic_fetch_add_explicit(&added, 1, memory_order_relaxed); // NORACE
	return a;
}
static void *consumer(void *a)
{
	long sum = 0;
	if (atomic_load_explicit(&stored, memory_order_acquire)) // NORACE
		sum += data; // RACE!
	if (atomic_load_explicit(&loaded, memory_order_relaxed)) // NORACE
		sum += more; // RACE!
	if (__atomic_load_n((int *)&added, __ATOMIC_ACQUIRE)) // NORACE
		sum += last; // RACE!
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
