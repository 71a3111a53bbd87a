/* Somebody opens the lock who does not have it. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int busy;
static int n;
static void *worker(void *a)
{
	while (atomic_exchange(&busy, 1))
		;
	n++; // RACE!
	atomic_store(&busy, 0);
	return a;
}
static void *watchdog(void *a)
{
	atomic_store(&busy, 0); // it hangs, surely
	return a;
}
int main(void)
{
	pthread_t t, u, w;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_create(&w, 0, watchdog, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(w, 0);
	return n; // NORACE
}
