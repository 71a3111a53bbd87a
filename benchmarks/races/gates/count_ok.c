/* One may go on at a time: the counter of free places starts at 1. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int places = 1;
static int n;
static void *worker(void *a)
{
	if (atomic_fetch_sub(&places, 1) != 1) {
		atomic_fetch_add(&places, 1);
		return a;
	}
	n++; // NORACE
	atomic_fetch_add(&places, 1);
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
