/* atomic_init is not atomic itself: it races with an atomic access. Why it races: C11 7.17.2.2; compilers make it a relaxed store,
 * so ThreadSanitizer shows nothing. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *worker(void *a)
{
	atomic_fetch_add(&n, 1); // RACE!
	return a;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	atomic_init(&n, 5); // RACE!
	pthread_join(t, 0);
	return n; // NORACE
}
