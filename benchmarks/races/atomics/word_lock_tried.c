/* Who did not get the lock gives it back all the same, and a third one gets it. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int busy;
static int n;
static void *worker(void *a)
{
	int free = 0;
	if (atomic_compare_exchange_strong(&busy, &free, 1))
		n++; // RACE!
	atomic_store(&busy, 0);
	return a;
}
int main(void)
{
	pthread_t t, u, v;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_create(&v, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(v, 0);
	return n; // NORACE
}
