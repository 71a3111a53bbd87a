/* The same variable by atomic and by plain accesses. */
#include <pthread.h>
#include <stdatomic.h>
static int counter;
static int limit;
static void *worker(void *a)
{
	for (int i = 0; i < 1000; i++)
		__atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST); // RACE!
	__atomic_store_n(&limit, 3, __ATOMIC_RELEASE); // NORACE
	return a;
}
static void *observer(void *a)
{
	long s = 0;
	for (int i = 0; i < 1000; i++)
		s += counter; // RACE!
	s += __atomic_load_n(&limit, __ATOMIC_ACQUIRE); // NORACE
	return (void *)s;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, observer, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return counter + limit; // NORACE
}
