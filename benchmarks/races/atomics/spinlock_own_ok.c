/* A lock made of an atomic flag. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag busy = ATOMIC_FLAG_INIT;
static int n;
static void *worker(void *a)
{
	while (atomic_flag_test_and_set(&busy)) // NORACE
		;
	n++; // NORACE
	atomic_flag_clear(&busy); // NORACE
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
