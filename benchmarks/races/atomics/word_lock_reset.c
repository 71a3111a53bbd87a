/* The object is cleared, and its lock with it, while others use it. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
struct account { long sum; atomic_int busy; };
static struct account a;
static void *worker(void *arg)
{
	while (atomic_exchange(&a.busy, 1)) // RACE!
		;
	a.sum++; // RACE!
	atomic_store(&a.busy, 0); // RACE!
	return arg;
}
static void *reset(void *arg)
{
	while (atomic_exchange(&a.busy, 1))
		;
	memset(&a, 0, sizeof a); // RACE!
	return arg;
}
int main(void)
{
	pthread_t t, u, w;
	memset(&a, 0, sizeof a); // NORACE
	pthread_create(&t, 0, worker, 0);
	pthread_create(&w, 0, worker, 0);
	pthread_create(&u, 0, reset, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(w, 0);
	return a.sum; // NORACE
}
