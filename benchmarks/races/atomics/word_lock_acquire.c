/* __sync_lock_test_and_set is an acquire barrier only: what was done under the lock may come later. */
#include <pthread.h>
static int busy, n;
static void *worker(void *a)
{
	while (__sync_lock_test_and_set(&busy, 1))
		;
	n++; // RACE!
	__sync_lock_test_and_set(&busy, 0);
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
