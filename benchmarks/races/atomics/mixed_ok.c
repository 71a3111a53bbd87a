/* The same variable by atomic accesses while threads run, by plain ones before and after. */
#include <pthread.h>
#include <stdatomic.h>
static int counter;
static void *worker(void *a)
{
	__atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST); // NORACE
	__sync_add_and_fetch(&counter, 2); // NORACE
	if (__atomic_load_n(&counter, __ATOMIC_RELAXED) > 5) // NORACE
		__sync_bool_compare_and_swap(&counter, 6, 7); // NORACE
	return a;
}
int main(void)
{
	pthread_t t, u;
	counter = 1; // NORACE
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return counter; // NORACE
}
