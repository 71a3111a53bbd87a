/* Only the first one goes on, for ever. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int started;
static int n;
static void *worker(void *a)
{
	if (atomic_fetch_add(&started, 1) == 0)
		n++; // NORACE
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
